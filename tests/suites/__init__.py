"""Test suites written by others, run with and without corewise: see README.md."""
