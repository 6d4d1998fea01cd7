"""A request for a placement and its answer: constraints, defaults, scores, and external partitioners."""
