"""Everything that is written and read again: one file per noun, with the helpers to write and read them."""
