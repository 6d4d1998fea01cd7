"""What corewise can do on this machine, found without an MPI job."""
