"""For simulations: the SimGrid platform of a machine."""

from corewise.simulation.smpi_platform import platform_xml

__all__ = ["platform_xml"]
