"""Chat templates of models: what one of them carries, and what it makes of a request.

A chat template is a program in Jinja that prints a conversation as the text that a model reads. It comes with the model, so it
is untrusted, and what it does not print is lost without an error. The modules, from the lowest: `worker` (the process that
renders), `rendering` (that process, seen from outside), `marks` (values that can be found in a rendering), `locating` (where
they are in it), `stability` (whether a rendering begins as that of its first messages), `report`, `found` (the problems of a
request) and `masks`.
"""
