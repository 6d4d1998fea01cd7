"""For placements: process bindings, patterns of communication, ratio of a traffic."""

from corewise.mapping.process_binding import binding_file, bound_objects
from corewise.profile import patterns
from corewise.profile.ratio import block_ratio

__all__ = ["binding_file", "block_ratio", "bound_objects", "patterns"]
