"""`python -m corewise`: the command line."""

from corewise.entry import main

if __name__ == "__main__":
    main()
