"""For placements: bindings, communication patterns, and the ratio of inter-node to intra-node traffic."""

from corewise.mapping.process_binding import binding_file, bound_objects
from corewise.profile import patterns

__all__ = ["binding_file", "bound_objects", "patterns"]
