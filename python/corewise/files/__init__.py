"""Reading and writing of files, with errors that name file and field."""
