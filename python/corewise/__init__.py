"""corewise: does it matter which core each MPI rank runs on, which placement is best, and did it help?"""

__version__ = "0.1.0"
