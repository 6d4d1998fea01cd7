"""Input formats: each is recognised by its content, and none is silently mistaken for another."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import numpy as np
import pytest
import scipy.io
import scipy.sparse
from click.testing import CliRunner
from corewise.cli import cli
from corewise.errors import InputError
from corewise.profile.formats import FORMATS
from corewise.profile.formats.format import unread_formats
from corewise.profile.inputs import read_input
from hypothesis import given, settings
from hypothesis import strategies as st

# Rank 0 sends 30 bytes to 1, 1 sends 40 to 2, 2 sends 50 to 0.
RING = [(0, 1, 30, 1), (1, 2, 40, 1), (2, 0, 50, 1)]
SQUARE = np.array([[0, 30, 0], [0, 0, 40], [50, 0, 0]])


def entries(found) -> list[tuple[int, int, int, int]]:
    return list(zip(*(column.tolist() for column in found.traffic.folded().columns()), strict=True))


def read(tmp_path, name, content, form=None):
    path = tmp_path / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return read_input(str(path), form=form)


@pytest.mark.parametrize("mark", [",", ";", "\t", " ", ", "])
@pytest.mark.parametrize(
    "head", ["src,dst,bytes", "Source,Target,Weight", "# from,to,size", "sender,receiver,n_bytes"]
)
def test_a_list_of_pairs_is_known_by_its_heading_and_takes_any_separator(tmp_path, mark, head):
    rows = [head, "0,1,30", "1,2,40", "2,0,50"]
    found = read(tmp_path, "e.txt", "\r\n".join(row.replace(",", mark) for row in rows))
    assert (found.kind, entries(found)) == ("edges", RING)


def test_the_heading_gives_the_order_of_the_columns_and_an_index_is_none(tmp_path):
    found = read(
        tmp_path, "e.csv", ",bytes,dst,src,messages\n0,30,1,0,3\n1,40,2,1,4\n2,50,0,2,5\n3,50,0,2,5\n"
    )
    assert entries(found) == [(0, 1, 30, 3), (1, 2, 40, 4), (2, 0, 100, 10)]


def test_pairs_alone_weigh_a_byte_for_each_line(tmp_path):
    assert entries(read(tmp_path, "e", "0 1\n1 0\n0 1\n0 1\n")) == [(0, 1, 3, 3), (1, 0, 1, 1)]


@pytest.mark.parametrize(
    "text", ["0 1 30\n1 2 40\n2 0 50\n", "0 1\n1 1\n", "0 1 9 1\n1 2 9 1\n2 3 9 1\n3 0 9 1\n"]
)
def test_what_could_be_pairs_or_a_square_is_refused_with_both_and_format_decides(tmp_path, text):
    with pytest.raises(
        InputError, match=r'list of pairs.*square of \d ranks.*format="edges" or format="text"'
    ):
        read(tmp_path, "e", text)
    assert read(tmp_path, "e", text, "edges").kind == "edges"
    assert read(tmp_path, "e", text, "text").kind == "text"


def test_two_ranks_that_are_the_same_as_pairs_and_as_a_square_are_read(tmp_path):
    text = "0,1\n1,0\n"
    assert (
        entries(read(tmp_path, "e", text))
        == entries(read(tmp_path, "e", text, "edges"))
        == [
            (0, 1, 1, 1),
            (1, 0, 1, 1),
        ]
    )


@pytest.mark.parametrize("text", ["0 800\n800 0\n", "0 8 9\n8 0 7\n9 7 0\n", "\ufeff0,1,2\n3,0,1\n1,1,0\n"])
def test_a_small_square_that_makes_no_sense_as_pairs_is_a_square(tmp_path, text):
    assert read(tmp_path, "s", text).kind == "text"


def test_ranks_may_count_from_1(tmp_path):
    assert entries(read(tmp_path, "e", "1 2 30\n2 3 40\n3 1 50\n", "edges-from-1")) == RING


@pytest.mark.parametrize(
    "text",
    [
        ",0,1,2\n0,0,30,0\n1,0,0,40\n2,50,0,0\n",
        '"","V1","V2","V3"\n"1",0,30,0\n"2",0,0,40\n"3",50,0,0\n',
        "r0 r1 r2\nr0 0 30 0\nr1 0 0 40\nr2 50 0 0\n",
        "rank2;rank0;rank1\n0;50;0\n0;0;30\n40;0;0\n",
    ],
)
def test_a_square_with_labels_is_read_in_the_order_that_they_say(tmp_path, text):
    found = read(tmp_path, "l.csv", text)
    assert found.kind == "labelled"
    assert sorted(size for _, _, size, _ in entries(found)) == [30, 40, 50]
    if "rank2" not in text:
        assert entries(found) == RING


def written(tmp_path, kind: str) -> str:
    """A file of the ring, written by NumPy or SciPy."""
    path = tmp_path / kind.partition(" ")[0]
    if kind == "m.npy":
        np.save(path, SQUARE)
    elif kind == "f.npy":
        np.save(path, np.asfortranarray(SQUARE.astype(float)))
    elif kind == "one.npz":
        np.savez(path, SQUARE)
    elif kind.endswith(".npz"):
        scipy.sparse.save_npz(path, getattr(scipy.sparse, f"{kind[:3]}_matrix")(SQUARE))
    else:
        scipy.io.mmwrite(path, scipy.sparse.coo_matrix(SQUARE) if kind == "s.mtx" else SQUARE)
    return str(path)


@pytest.mark.parametrize(
    "kind", ["m.npy", "f.npy", "one.npz", "csr.npz", "csc.npz", "coo.npz", "d.mtx", "s.mtx"]
)
@pytest.mark.parametrize("packed", [False, True])
def test_what_numpy_and_scipy_write_is_read_also_compressed(tmp_path, kind, packed):
    path = written(tmp_path, kind)
    if packed:
        content = Path(path).read_bytes()
        path += ".gz"
        Path(path).write_bytes(gzip.compress(content))
    assert entries(read_input(path)) == RING


def test_a_graph_of_scotch_is_read(tmp_path):
    text = "0\n3 4\n0 010\n1 30 1\n2 30 0 40 2\n1 40 1\n"
    assert entries(read(tmp_path, "g.grf", text)) == RING[:2]


def test_monitoring_that_was_aggregated_is_read(tmp_path):
    text = "".join(
        f"# POINT TO POINT\nE\t{rank}\t{1 - rank}\t10 bytes\t3 msgs sent\t0,3\n# OSC\n# COLLECTIVES\n"
        "D\tMPI_COMM_WORLD\tprocs: 0,1\n"
        for rank in range(2)
    )
    assert entries(read(tmp_path, "phase_1.prof", text)) == [(0, 1, 10, 3), (1, 0, 10, 3)]


def test_a_folder_of_such_files_is_named_too(tmp_path):
    (tmp_path / "pmpi-trace-rank-0.txt").write_text("# collprof 0.9 output file\n")
    with pytest.raises(InputError, match="liballprof"):
        read_input(str(tmp_path))


def test_list_prints_every_format_and_format_refuses_other_names(tmp_path):
    printed = json.loads(CliRunner().invoke(cli, ["show", "--list", "--json"], catch_exceptions=False).stdout)
    assert list(printed) == list(FORMATS)
    text = CliRunner().invoke(cli, ["show", "--list"], catch_exceptions=False).stdout
    assert all(row["name"] in text for row in unread_formats())
    with pytest.raises(InputError, match="unknown format 'edge'; did you mean 'edges'"):
        read(tmp_path, "e", "0 1\n", "edge")


def test_standard_input_is_read():
    result = CliRunner().invoke(
        cli, ["show", "-", "--json"], input=gzip.compress(b"src dst\n0 1\n"), catch_exceptions=False
    )
    assert json.loads(result.stdout)["n_ranks"] == 2


def test_a_gzip_bomb_and_headers_of_huge_arrays_cost_nothing(tmp_path, monkeypatch):
    monkeypatch.setattr("corewise.profile.formats.format.MOST_UNPACKED_BYTES", 2**21)
    with pytest.raises(InputError, match="unpacks to more than"):
        read(tmp_path, "m.gz", gzip.compress(bytes(2**22)))
    np.save(tmp_path / "m.npy", np.zeros((2, 2)))
    content = (tmp_path / "m.npy").read_bytes().replace(b"(2, 2), }", b"(1000000000, 1000000000), }")
    with pytest.raises(InputError, match="no sound NumPy array"):
        read(tmp_path, "h.npy", content)


HEADS = [b"", b"0 1 2\n", b"src,dst\n", b",0,1\n", b"\x93NUMPY\x01\x00", b"PK\x03\x04", b"\x1f\x8b\x08",
         b"%%MatrixMarket matrix array real general\n", b"# POINT TO POINT\n"]  # fmt: skip


@settings(max_examples=150, deadline=None)
@given(
    name=st.sampled_from(["m", "m.npy", "m.npz", "m.mtx", "m.grf", "m.graph", "m.mat", "m.gz"]),
    head=st.sampled_from(HEADS),
    rest=st.one_of(st.binary(max_size=60), st.text('01239 ,;\t\n".ersdc{}-', max_size=60).map(str.encode)),
    form=st.sampled_from([None, *FORMATS]),
)
def test_any_bytes_are_read_or_refused_in_one_sentence(tmp_path_factory, name, head, rest, form):
    folder = tmp_path_factory.mktemp("any")
    try:
        assert read(folder, name, head + rest, form).traffic.n_ranks > 0
    except InputError as error:
        assert "\n" not in str(error)
