"""External partitioners, which find a start for the core's search. They are rows of mapping/solvers.py."""
