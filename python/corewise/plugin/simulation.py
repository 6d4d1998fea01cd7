"""For simulations: the platform that SimGrid's SMPI gets of a machine."""

from corewise.simulation.smpi_platform import platform_xml

__all__ = ["platform_xml"]
