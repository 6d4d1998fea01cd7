/* Empty, as MPICH's test suite has it outside MPICH: names of functions that its own MPI calls MPIX_. */
