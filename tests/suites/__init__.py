"""Test suites that others wrote, run with and without corewise: README.md."""
