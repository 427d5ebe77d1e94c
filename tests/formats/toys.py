"""The small formats of the tests, as rows of a table find them."""

from formats import interlingua_toy, toy_blocks

FORMATS = {format.name: format for format in (interlingua_toy.FORMAT, toy_blocks.FORMAT)}
