"""For documents: reads TOML and JSON with clear errors, writes files, formats numbers and tables."""

from corewise.files.document import parse_json, read_json, read_toml
from corewise.files.table import Table, check_format
from corewise.files.whole_file import write_whole
from corewise.nouns.codec import Noun
from corewise.text.escaping import json_text, shell_text
from corewise.text.quantities import bytes_text, counted, index_text, indices_of, seconds_text
from corewise.text.table import text_table

__all__ = [
    "Noun",
    "Table",
    "bytes_text",
    "check_format",
    "counted",
    "index_text",
    "indices_of",
    "json_text",
    "parse_json",
    "read_json",
    "read_toml",
    "seconds_text",
    "shell_text",
    "text_table",
    "write_whole",
]
