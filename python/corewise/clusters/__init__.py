"""Nodes that this machine emulates as network namespaces, and what every kind of such a cluster shares."""
