"""The nouns: the only door to the extension module."""

from corewise._core import (
    CommMatrix,
    LargeMessages,
    Level,
    LinkFigures,
    Machine,
    NodeShape,
    Phase,
    Traffic,
    inter_over_intra,
    make_machine,
    make_tree_machine,
    read_matrix_market,
    read_metis_graph,
    read_openmpi_monitoring,
    read_text_matrix,
)

__all__ = [
    "CommMatrix",
    "LargeMessages",
    "Level",
    "LinkFigures",
    "Machine",
    "NodeShape",
    "Phase",
    "Traffic",
    "inter_over_intra",
    "make_machine",
    "make_tree_machine",
    "read_matrix_market",
    "read_metis_graph",
    "read_openmpi_monitoring",
    "read_text_matrix",
]
