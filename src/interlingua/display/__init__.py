"""Shows conversations to people: in the terminal, and as pages.

`outline` makes plain data of what is shown. `texts` makes text harmless and short. `terminal` draws an outline with rich, and
`page` draws it as HTML. `difference` compares two conversations. `showing` has the functions that Python and the command use.
"""
