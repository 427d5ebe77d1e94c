"""Chat templates of models: what a template prints, and what it does with a request.

A chat template is a program in Jinja that prints a conversation as the text that a model reads. It comes with the model, so it
is untrusted; and what it does not print is lost without an error. The modules, from the lowest: `worker` (the process that
renders), `rendering` (starts that process and talks to it), `marks` (values that can be found in a rendering), `locating`
(finds them there), `stability` (whether earlier messages are printed the same when others follow), `report`, `found` (the
problems of a request) and `masks`.
"""
