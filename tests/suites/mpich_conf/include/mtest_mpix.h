/* Empty, as in MPICH's test suite for other MPIs. With MPICH it declares MPIX_ names of functions. */
