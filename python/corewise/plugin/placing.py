"""For placements: bindings, communication patterns, and the ratio of inter-node to intra-node traffic."""

from corewise.mapping.process_binding import binding_file, bound_objects
from corewise.profile import patterns
from corewise.profile.ratio import block_ratio

__all__ = ["binding_file", "block_ratio", "bound_objects", "patterns"]
