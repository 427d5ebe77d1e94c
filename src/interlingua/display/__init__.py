"""What people see of conversations: in the terminal, and as pages.

`outline` says what there is to see, as plain data; `texts` makes text harmless and short; `page` draws
an outline as HTML.
"""
