"""All formats of inputs: a row each, with a function that recognises a file and one that reads it.

The first row that recognises a file reads it, so distinctive contents come first and plain text last.
"""

from __future__ import annotations

from corewise import model
from corewise.errors import InputError, did_you_mean
from corewise.profile.formats import arrays, graphs, tables
from corewise.profile.formats.format import Format, InputFile, refuse_unread
from corewise.profile.formats.matrix_market import read_matrix_market
from corewise.profile.formats.openmpi_monitoring import read_openmpi_monitoring

FORMATS: dict[str, Format] = {
    row.name: row
    for row in (
        Format("profile", "A directory of corewise trace: holds .cwprof files."),
        Format("otf2", "An OTF2 archive: .otf2, or the directory of a Score-P measurement (traces.otf2)."),
        Format(
            "openmpi-monitoring",
            "Open MPI monitoring: PREFIX.RANK.prof files (prefix, directory or one), or aggregated into one.",
            lambda file: b"# POINT TO POINT" in file.head,
            lambda file: read_openmpi_monitoring([file.path]),
        ),
        Format(
            "npy",
            "NumPy, one square of bytes [src, dst]: begins with \\x93NUMPY.",
            lambda file: file.head.startswith(b"\x93NUMPY"),
            arrays.read_npy,
        ),
        Format(
            "npz",
            "NumPy archive of 'bytes' and 'msgs', or of one array; SciPy's sparse csr, csc, coo: .npz.",
            lambda file: file.suffix == ".npz" or file.head.startswith(b"PK\x03\x04"),
            arrays.read_archive,
        ),
        Format(
            "mtx",
            "Matrix Market, coordinate or array: %%MatrixMarket, or .mtx.",
            lambda file: file.suffix == ".mtx" or file.head[:14].lower() == b"%%matrixmarket",
            read_matrix_market,
        ),
        Format(
            "metis",
            "METIS graph, undirected: .graph.",
            lambda file: file.suffix == ".graph",
            graphs.read_metis,
        ),
        Format(
            "scotch",
            "Scotch graph, undirected: .grf.",
            lambda file: file.suffix == ".grf",
            graphs.read_scotch,
        ),
        Format(
            "edges",
            "A list of pairs: src, dst, bytes, messages (2 to 4 columns), blanks, commas, semicolons or tabs "
            "between; a first row may name the columns.",
            lambda file: tables.kind_of(file) == "edges",
            tables.read_edges,
        ),
        Format("edges-from-0", "The same; ranks count from 0.", read=lambda file: tables.read_edges(file, 0)),
        Format("edges-from-1", "The same; ranks count from 1.", read=lambda file: tables.read_edges(file, 1)),
        Format(
            "labelled",
            "A square of bytes [src, dst] under labels, as pandas and R write it.",
            lambda file: tables.kind_of(file) == "labelled",
            tables.read_labelled,
        ),
        Format(
            "text",
            "A plain square of bytes [src, dst], a row a line, blanks or commas between: all else.",
            lambda _: True,
            tables.read_square,
        ),
    )
}


def read_file(file: InputFile, name: str | None = None) -> tuple[str, model.CommMatrix]:
    """The format's name and the matrix. Raises InputError with the file's name as the user gave it."""
    if name is None:
        if file.suffix != ".npz":
            refuse_unread(file)
        row = next(row for row in FORMATS.values() if row.recognise(file))
    else:
        row = format_named(name)
    if row.read is None:
        raise file.error(f"a file; format '{row.name}' is {row.sentence}")
    try:
        return row.name, row.read(file)
    except InputError as error:
        refused = InputError(str(error).replace(str(file.path), file.shown))
        refused.path, refused.line, refused.field = file.shown, error.line, error.field
        raise refused from error


def format_named(name: str) -> Format:
    """The format of that name; raises InputError if there is none."""
    if name not in FORMATS:
        near = did_you_mean(name, FORMATS) or "; corewise show --list names all"
        raise InputError(f"unknown format '{name}'{near}")
    return FORMATS[name]
