"""What people see of conversations: in the terminal, and as pages.

`outline` says what there is to see, as plain data; `texts` makes text harmless and short; `terminal` draws an outline with
rich, and `page` as HTML; `difference` says what differs between two; `showing` is what Python and the command show.
"""
