"""Numbers and tables as text for people; knows no noun, so that every package may use it."""
