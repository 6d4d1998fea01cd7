"""For kinds of clusters: creates, enters and ends nodes as network namespaces with links of a given rate."""

from corewise.clusters.cluster import Lab, down, found, temporary, up
from corewise.clusters.kind import Cluster, ClusterSpec, Kind
from corewise.clusters.netns import NETNS, NODE_OPTIONS, NODE_TOOLS, mpi_settings
from corewise.clusters.nodes import HEAD, HEAD_ADDRESS, address, in_node, temporary_folder
from corewise.clusters.rates import parse_rate

__all__ = [
    "HEAD",
    "HEAD_ADDRESS",
    "NETNS",
    "NODE_OPTIONS",
    "NODE_TOOLS",
    "Cluster",
    "ClusterSpec",
    "Kind",
    "Lab",
    "address",
    "down",
    "found",
    "in_node",
    "mpi_settings",
    "parse_rate",
    "temporary",
    "temporary_folder",
    "up",
]
