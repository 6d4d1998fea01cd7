"""Emulated clusters, whose nodes are network namespaces; common code of all kinds of clusters."""
