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


def test_a_directory_with_two_monitored_jobs_is_refused(tmp_path):
    for name in ("a.0.prof", "b.0.prof"):
        (tmp_path / name).write_text(monitoring_text(0))
    with pytest.raises(InputError, match=r"2 jobs \(a, b\)"):
        read_input(str(tmp_path))


def test_a_matrix_has_no_other_layer(tmp_path):
    with pytest.raises(InputError, match="point-to-point traffic alone"):
        read_text(tmp_path, "m.txt", SQUARE, "coll")


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
