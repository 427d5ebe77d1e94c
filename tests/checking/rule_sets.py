"""The rules of each format that has some, by its name."""

import interlingua as il

RULES = {name: format.rules(format) for name, format in il.FORMATS.items() if format.rules is not None}
