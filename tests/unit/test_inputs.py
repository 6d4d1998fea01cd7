"""Every input format gives the same matrix; every damaged file is refused in one sentence."""

from __future__ import annotations

import numpy as np
import pytest
from corewise.errors import InputError
from corewise.profile.inputs import as_phases, read_input
from hypothesis import given, settings
from hypothesis import strategies as st
from profile_cases import two_phase_profile

# Rank 0 sends 8 bytes to 1, rank 2 sends 5 to 0; rank 1 sends nothing.
SQUARE = "0 8 0\n0 0 0\n5 0 0\n"
HEAD = "%%MatrixMarket matrix coordinate "
COORDINATES = "%%MatrixMarket matrix coordinate integer general\n3 3 2\n1 2 8\n3 1 5\n"


def entries(matrix) -> list[tuple[int, int, int, int]]:
    """(src, dst, bytes, messages), sorted."""
    return list(zip(*(column.tolist() for column in matrix.columns()), strict=True))


def read_text(tmp_path, name, text, layer="p2p", form=None):
    path = tmp_path / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return read_input(str(path), layer, form=form)


def monitoring_text(rank: int) -> str:
    """Two ranks exchange 3 messages, and 1 more in a collective; rank 0 puts 77 bytes to rank 1."""
    other = 1 - rank
    one_sided = "S\t0\t1\t77 bytes\t1 msgs sent\n" if rank == 0 else ""
    return (
        f"# POINT TO POINT\nE\t{rank}\t{other}\t{10 + rank} bytes\t3 msgs sent\t0,3\n"
        f"I\t{rank}\t{other}\t4 bytes\t1 msgs sent\n# OSC\n{one_sided}# COLLECTIVES\n"
        f"C\t{rank}\t{other}\t4 bytes\t1 msgs sent\nD\tMPI_COMM_WORLD\tprocs: 0,1\n"
        f"O2A\t{rank}\t0 bytes\t0 msgs sent\n"
    )


@pytest.mark.parametrize(
    ("name", "text", "kind"),
    [("m.txt", SQUARE, "text"), ("m", SQUARE, "text"), ("m.mtx", COORDINATES, "mtx")],
)
def test_text_and_matrix_market_give_the_same_matrix(tmp_path, name, text, kind):
    found = read_text(tmp_path, name, text)
    assert (found.name, found.kind, found.complete, found.profile) == (name, kind, True, None)
    assert entries(found.traffic.folded()) == [(0, 1, 8, 1), (2, 0, 5, 1)]


def test_a_metis_edge_counts_once_from_the_lower_to_the_higher_rank(tmp_path):
    found = read_text(tmp_path, "m.graph", "3 2 001\n2 7\n1 7 3 9\n2 9\n")
    assert entries(found.traffic.folded()) == [(0, 1, 7, 1), (1, 2, 9, 1)]


@pytest.mark.parametrize(
    ("text", "load"),
    [
        ("2 1\n2\n1\n", 1),
        ("2 1 1\n2 7\n1 7\n", 7),
        ("2 1 000\n2\n1\n", 1),
        ("2 1 010\n50 2\n60 1\n", 1),
        ("2 1 011\n50 2 7\n60 1 7\n", 7),
        ("2 1 011 2\n50 51 2 7\n60 61 1 7\n", 7),
        ("2 1 100\n9 2\n9 1\n", 1),
        ("2 1 111 1\n9 50 2 7\n9 60 1 7\n", 7),
        ("% head\r\n2 1\r\n2\r\n% between\r\n1\r\n\r\n", 1),
    ],
)
def test_sizes_and_weights_of_metis_vertices_are_skipped(tmp_path, text, load):
    assert entries(read_text(tmp_path, "m.graph", text).traffic.folded()) == [(0, 1, load, 1)]


def test_a_metis_vertex_without_edges_has_an_empty_line(tmp_path):
    found = read_text(tmp_path, "m.graph", "4 1\n\n3\n2\n\n")
    assert (found.traffic.n_ranks, entries(found.traffic.folded())) == (4, [(1, 2, 1, 1)])


def test_matrix_market_has_whole_numbers_in_any_notation_both_directions_and_sums(tmp_path):
    text = HEAD + "real general\n% a comment\r\n2 2 3\r\n1 2 1e3\r\n2 1 5.0\r\n2 1 2"
    assert entries(read_text(tmp_path, "m.mtx", text).traffic.folded()) == [(0, 1, 1000, 1), (1, 0, 7, 2)]
    text = HEAD + "pattern symmetric\n3 3 2\n3 1\n2 2\n"
    assert entries(read_text(tmp_path, "m.mtx", text).traffic.folded()) == [
        (0, 2, 1, 1),
        (1, 1, 1, 1),
        (2, 0, 1, 1),
    ]


def test_a_text_square_has_commas_and_comments(tmp_path):
    found = read_text(tmp_path, "m.txt", "# bytes\n0, 2\r\n\r\n1e1, 0\r\n", form="text")
    assert entries(found.traffic.folded()) == [(0, 1, 2, 1), (1, 0, 10, 1)]


def test_phases_of_joined_monitoring_files_are_added_up(tmp_path):
    text = (monitoring_text(0) + monitoring_text(1)) * 2
    assert entries(read_text(tmp_path, "p.prof", text).traffic.folded()) == [(0, 1, 20, 6), (1, 0, 22, 6)]


def test_npz_keeps_bytes_and_messages_apart(tmp_path):
    np.savez(tmp_path / "m.npz", bytes=np.array([[1, 8], [0, 0]]), msgs=np.array([[1, 2], [3, 0]]))
    found = read_input(str(tmp_path / "m.npz"))
    assert entries(found.traffic.folded()) == [(0, 0, 1, 1), (0, 1, 8, 2), (1, 0, 0, 3)]


@pytest.mark.parametrize("named", ["", "job", "job.1.prof"])
def test_monitoring_files_are_found_by_directory_prefix_or_any_of_them(tmp_path, named):
    for rank in range(2):
        (tmp_path / f"job.{rank}.prof").write_text(monitoring_text(rank))
    found = read_input(str(tmp_path / named))
    assert found.kind == "openmpi-monitoring"
    assert entries(found.traffic.folded()) == [(0, 1, 10, 3), (1, 0, 11, 3)]
    assert entries(read_input(str(tmp_path / named), "coll").traffic.folded()) == [(0, 1, 4, 1), (1, 0, 4, 1)]
    assert entries(read_input(str(tmp_path / named), "rma").traffic.folded()) == [(0, 1, 77, 1)]


def test_monitoring_without_one_ranks_file_is_refused(tmp_path):
    (tmp_path / "job.0.prof").write_text(monitoring_text(0))
    with pytest.raises(InputError, match="1 files of a job of 2 ranks"):
        read_input(str(tmp_path))


def test_a_directory_with_two_monitored_jobs_is_refused(tmp_path):
    for name in ("a.0.prof", "b.0.prof"):
        (tmp_path / name).write_text(monitoring_text(0))
    with pytest.raises(InputError, match=r"2 jobs \(a, b\)"):
        read_input(str(tmp_path))


@pytest.mark.parametrize(
    ("name", "text", "sentence"),
    [
        ("m.txt", "", "m.txt: no row of numbers; expected a square matrix"),
        ("m.txt", "0 1\n1 -3\n", "m.txt line 2: found '-3'; expected a number of bytes"),
        ("m.txt", "0 nan\n1 0\n", "m.txt line 1: found 'nan'; expected a number of bytes"),
        ("m.txt", "0 inf\n1 0\n", "m.txt line 1: found 'inf'; expected a number of bytes"),
        ("m.txt", "0 1.5\n1 0\n", "m.txt line 1: found '1.5'; expected a number of bytes: whole"),
        ("m.txt", "0 1 2 3 4\n1 0 2 3 4\n", "m.txt: ends after 2 rows of 5 numbers; expected a square"),
        ("m.txt", "nd nw\n1 2 3\n", "m.txt line 1: found 'nd nw'; expected numbers, or a first row"),
        ("m.txt", "0 1 2 3 4\n1 0\n", "m.txt line 2: a row of 2 numbers"),
        ("m.txt", "1e400\n", "m.txt line 1: found '1e400'"),
        ("m.txt", "9223372036854775807\n", "9223372036854775807'; expected a number of bytes"),
        ("m.mtx", "3 3 1\n", "m.mtx line 1: expected '%%MatrixMarket"),
        ("m.mtx", COORDINATES + "1 1 1\n", "m.mtx line 5: more than the 2 entries"),
        ("m.mtx", COORDINATES[:-6], "m.mtx: ends after 1 entries; its header names 2"),
        ("m.mtx", HEAD + "integer general\n2 3 0\n", "2 rows and 3 columns; expected a square"),
        ("m.mtx", HEAD + "integer general\n2 2 1\n0 1 1\n", "m.mtx line 3: found '0 1'; expected a row"),
        ("m.mtx", HEAD + "complex general\n1 1 0\n", "found 'complex general'; expected integer"),
        ("m.mtx", HEAD + "real skew-symmetric\n2 2 1\n2 1 3\n", "found 'real skew-symmetric'; expected"),
        (
            "m.mtx",
            HEAD + "integer general\n2 2 99999999999\n1 1 1\n",
            "ends after 1 entries; its header names 99999999999",
        ),
        ("m.mtx", HEAD + "real general\n2 2 1\n1 2 1.5\n", "found '1.5'; expected a number of bytes"),
        ("m.graph", "% only a comment\n", "expected the head of a METIS graph"),
        ("m.graph", "2 1 002\n", "expected the head of a METIS graph"),
        ("m.graph", "2 1\n2\n", "m.graph: ends after 1 vertices"),
        ("m.graph", "2 1\n2\n1\n1\n", "m.graph line 4: more lines"),
        ("m.graph", "2 1\n3\n1\n", "m.graph line 2: found '3'; expected a vertex, 1 to 2"),
        ("m.graph", "2 1\n1\n2\n", "m.graph line 2: found '1'; expected a vertex, 1 to 2, another one"),
        (
            "m.graph",
            "2 2\n2 2\n1 1\n",
            "m.graph line 2: found '2'; expected a vertex, 1 to 2, another one, once",
        ),
        ("m.graph", "3 1\n2\n3\n\n", "edge 1-2 has not the same load both ways"),
        ("m.graph", "2 1 1\n2 7\n1 8\n", "edge 1-2 has not the same load both ways"),
        ("m.graph", "2 1 1\n2\n1 7\n", "m.graph line 2: found the end of the line"),
        ("p.prof", "# POINT TO POINT\nE\t0\t0\t30 by", "p.prof line 2: found '0 0 30 by'"),
        ("p.prof", "# POINT TO POINT\nE\t0\t-1\t3 bytes\t3 msgs sent\n", "found '0 -1 3 bytes"),
        ("p.prof", "# POINT TO POINT\nE\t0\t1\t3 bytes\t3 msgs sent\n", "1 files of a job of 2 ranks"),
        ("p.prof", monitoring_text(0) * 2, "2 files of a job of 2 ranks"),
        (
            "p.prof",
            (monitoring_text(0) + monitoring_text(1)) * 2 + monitoring_text(0),
            "5 files of a job of 2",
        ),
        (
            "m.graph",
            "2 1\n2\n\n",
            "m.graph: has 1 neighbours in all; its header names 1 edges, so expected 2",
        ),
        ("m.npz", b"PK\x03\x04 no archive", "m.npz: not a sound .npz archive"),
    ],
)
def test_a_damaged_matrix_is_refused_in_one_sentence(tmp_path, name, text, sentence):
    with pytest.raises(InputError) as refused:
        read_text(tmp_path, name, text)
    assert sentence in str(refused.value)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("arrays", "sentence"),
    [
        ({"bytes": np.zeros((2, 2), int), "time": np.zeros(2)}, "no array 'msgs'"),
        (
            {"bytes": np.zeros((2, 3), int), "msgs": np.zeros((2, 3), int)},
            "'bytes' is 2 x 3; expected a square",
        ),
        ({"bytes": np.zeros((2, 2), int), "msgs": np.zeros((3, 3), int)}, "expected the same shape"),
        ({"bytes": np.array([[0, -4], [0, 0]]), "msgs": np.zeros((2, 2), int)}, "'bytes'[0, 1] is -4"),
        ({"bytes": np.array([[0, np.nan], [0, 0]]), "msgs": np.zeros((2, 2), int)}, "'bytes'[0, 1] is nan"),
        ({"bytes": np.array([["a"]]), "msgs": np.zeros((1, 1), int)}, "expected whole numbers"),
        ({"bytes": np.array(3), "msgs": np.array(3)}, "'bytes' is a single number"),
    ],
)
def test_an_npz_that_is_no_matrix_is_refused(tmp_path, arrays, sentence):
    np.savez(tmp_path / "m.npz", **arrays)
    with pytest.raises(InputError) as refused:
        read_input(str(tmp_path / "m.npz"))
    assert sentence in str(refused.value)


def test_a_matrix_has_no_other_layer(tmp_path):
    with pytest.raises(InputError, match="point-to-point traffic alone"):
        read_text(tmp_path, "m.txt", SQUARE, "coll")


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(InputError, match="nothing: no such file"):
        read_input(str(tmp_path / "nothing"))


@settings(max_examples=100)
@given(
    st.integers(1, 6).flatmap(
        lambda n: st.lists(st.lists(st.integers(0, 2**40), min_size=n, max_size=n), min_size=n, max_size=n)
    )
)
def test_text_matrix_market_and_npz_agree_on_any_matrix(tmp_path_factory, rows):
    folder = tmp_path_factory.mktemp("any")
    dense = np.array(rows, dtype=np.uint64)
    pairs = [(int(s), int(d)) for s, d in np.argwhere(dense)]
    lines = [f"{s + 1} {d + 1} {dense[s, d]}\n" for s, d in pairs]
    header = f"%%MatrixMarket matrix coordinate real general\n{len(rows)} {len(rows)} {len(pairs)}\n"
    np.savez(folder / "m.npz", bytes=dense, msgs=(dense > 0).astype(int))
    read = [
        read_text(folder, "m.txt", "".join(" ".join(map(str, row)) + "\r\n" for row in rows), form="text"),
        read_text(folder, "m.mtx", header + "".join(reversed(lines))),
        read_input(str(folder / "m.npz")),
    ]
    wanted = [(s, d, int(dense[s, d]), 1) for s, d in pairs]
    assert [entries(found.traffic.folded()) for found in read] == [wanted] * 3


def test_large_messages_survive_the_merging_of_inputs(tmp_path):
    # The profile has no large messages. In a matrix sizes are unknown, so all messages count.
    profile = read_input(str(two_phase_profile().write(tmp_path / "two.profile")))
    (tmp_path / "m.mtx").write_text("%%MatrixMarket matrix coordinate integer general\n4 4 1\n1 4 100000\n")
    matrix = read_input(str(tmp_path / "m.mtx"))
    assert as_phases([profile, profile]).traffic.large.matrix.bytes == 0
    both = as_phases([profile, matrix]).traffic
    assert (both.large.threshold_bytes, entries(both.large.matrix)) == (32768, [(0, 3, 100000, 1)])
    assert len(both.phases) == 3
    assert as_phases([matrix, matrix]).traffic.large is None
