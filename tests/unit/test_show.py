"""corewise show for matrices: keys of the JSON, text, and errors."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner
from corewise.cli import cli
from corewise.errors import InputError
from corewise.profile.inputs import read_input
from profile_cases import CALL, COLLECTIVE, TO_PEER, WAITED, ProfileFile, two_phase_profile


def show(*arguments: str):
    result = CliRunner().invoke(cli, ["show", *arguments])
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


@pytest.fixture
def matrix(tmp_path) -> str:
    """Four ranks: 0 and 1 send each other 8 bytes, 2 sends 5 to 3 and 4 to itself, 1 sends 2 to 2."""
    path = tmp_path / "m.txt"
    path.write_text("0 8 0 0\n8 0 2 0\n0 0 4 5\n0 0 0 0\n")
    return str(path)


def test_json_has_the_contracts_keys(matrix):
    document = json.loads(show("--json", "--ranks-per-node", "2", matrix).stdout)
    assert (document["n_ranks"], document["bytes"], document["messages"]) == (4, 23, 4)
    assert (document["self_bytes"], document["complete"]) == (4, True)
    assert document["phases"] == [{"repeat": 1, "bytes": 23, "messages": 4}]
    # Between nodes: 2 bytes in 1 message. Within nodes: 8 + 8 + 5 bytes and, only for the ratio, 4 bytes from
    # a rank to itself.
    assert document["ratio"]["ranks_per_node"] == 2
    assert document["ratio"]["inter_over_intra_bytes"] == pytest.approx(2 / 25)
    assert document["ratio"]["inter_over_intra_messages"] == pytest.approx(1 / 4)


def test_gpus_that_ranks_see_are_listed_alike_ones_together(tmp_path):
    file = two_phase_profile()
    for number, gpu in enumerate("0011"):
        file.devices(number, {"CUDA_VISIBLE_DEVICES": gpu}, f"nvidia{gpu}" if number else "")
    folder = str(file.write(tmp_path / "p"))
    assert json.loads(show("--json", folder).stdout)["devices"] == [
        {"ranks": [0], "variables": {"CUDA_VISIBLE_DEVICES": "0"}, "files": []},
        {"ranks": [1], "variables": {"CUDA_VISIBLE_DEVICES": "0"}, "files": ["/dev/nvidia0"]},
        {"ranks": [2, 3], "variables": {"CUDA_VISIBLE_DEVICES": "1"}, "files": ["/dev/nvidia1"]},
    ]
    text = show(folder).stdout
    assert "GPUs and network cards that ranks see" in text
    assert "2-3    CUDA_VISIBLE_DEVICES=1; open: /dev/nvidia1" in text


def test_a_matrix_without_nodes_has_no_ratio(matrix):
    assert json.loads(show("--json", matrix).stdout)["ratio"] is None
    assert "give --ranks-per-node K" in show(matrix).stdout


def test_text_has_totals_map_and_pairs(matrix):
    text = show("--ranks-per-node", "2", matrix).stdout
    assert "traffic    23 B in 4 messages between ranks" in text
    assert "ratio      0.080 of bytes, 0.250 of messages" in text
    assert " 0   @@\n" in text
    assert "    0    1    8 B         1        34.8 %" in text


def test_json_alone_is_on_standard_output(matrix, tmp_path):
    result = show("--json", "--picture", str(tmp_path / "m.png"), matrix)
    assert json.loads(result.stdout)["name"] == "m.txt"
    assert "wrote" in result.stderr


def test_more_ranks_a_node_than_there_are_make_one_node(matrix):
    ratio = json.loads(show("--json", "--ranks-per-node", str(10**20), matrix).stdout)["ratio"]
    assert (ratio["ranks_per_node"], ratio["inter_over_intra_bytes"]) == (10**20, 0)


@pytest.fixture
def phases(tmp_path) -> str:
    return str(two_phase_profile().write(tmp_path / "two.profile"))


def test_phases_of_a_profile_have_their_times_and_patterns(phases):
    first, second = json.loads(show("--json", phases).stdout)["phases"]
    keys = ("begin_s", "end_s", "bytes", "messages", "pattern")
    assert [first[key] for key in keys] == [0, 2, 3200, 400, 0]
    assert [second[key] for key in keys] == [2, 4, 3200, 400, 1]
    text = show(phases).stdout
    assert "0  0.00 - 2.00 s  3.12 KiB       400         1  A" in text
    assert "1  2.00 - 4.00 s  3.12 KiB       400         1  B" in text


def test_regions_and_communicators_are_told_apart(phases):
    document = json.loads(show("--json", phases).stdout)
    assert document["regions"] == [
        {"level": 1, "bytes": 3200, "messages": 400},
        {"level": 2, "bytes": 3200, "messages": 400},
    ]
    comms = [(row["name"], row["n_ranks"], row["bytes"]) for row in document["communicators"]]
    assert sorted(comms) == [("MPI_COMM_WORLD", 4, 3200), ("copy", 4, 3200)]


def test_mpi_io_is_listed_among_the_calls_and_is_no_traffic(tmp_path):
    # 3 writes of 100 bytes each, and one message of 8 bytes.
    file = ProfileFile(2).rank(0).rank(1)
    rows = [("MPI_Send", 1, CALL | TO_PEER, 0, 1, 8), ("MPI_File_write_at_all", -1, CALL, 0, 3, 100)]
    folder = str(file.rows(0, rows).write(tmp_path / "profile"))
    document = json.loads(show("--json", folder).stdout)
    calls = {row["call"]: (row["layer"], row["count"], row["bytes"]) for row in document["calls"]}
    assert calls == {"MPI_Send": ("p2p", 1, 8), "MPI_File_write_at_all": ("io", 3, 300)}
    assert (document["bytes"], document["messages"]) == (8, 1)
    assert "MPI_File_write_at_all" in show(folder).stdout


def test_names_of_communicators_stay_in_their_line(tmp_path):
    file = ProfileFile(2).group(5, 2).comm(7, 5, "halo\n\x1b[2J").comm(8, 5, "\u00e9").rank(0).rank(1)
    rows = [("MPI_Send", 1, CALL | TO_PEER, comm, 1, 8) for comm in (7, 8)]
    text = show(str(file.rows(0, rows).write(tmp_path / "profile"))).stdout
    assert "  halo??[2J  " in text and "  \u00e9  " in text


@pytest.fixture
def spawned(tmp_path) -> str:
    """Two ranks and three ranks that they spawned: 8 bytes from the first to the second rank of each."""
    for n_ranks, world in ((2, ""), (3, "w")):
        file = ProfileFile(n_ranks, world=world).rows(0, [("MPI_Send", 1, CALL | TO_PEER, 0, 1, 8)])
        for rank in range(n_ranks):
            file.rank(rank)
        file.write(tmp_path / "profile")
    return str(tmp_path / "profile")


def test_spawned_ranks_follow_those_of_the_launcher(spawned):
    document = json.loads(show("--json", spawned).stdout)
    assert document["worlds"] == [
        {"first_rank": 0, "n_ranks": 2, "spawned": False},
        {"first_rank": 2, "n_ranks": 3, "spawned": True},
    ]
    assert [(pair["src"], pair["dst"]) for pair in document["top_pairs"]] == [(0, 1), (2, 3)]
    assert "ranks      5: 0-1 started by the launcher, 2-4 spawned" in show(spawned).stdout


def test_what_places_ranks_refuses_spawned_ones(spawned):
    with pytest.raises(InputError, match="3 of its 5 ranks were spawned while it ran"):
        read_input(spawned)


def test_sizes_by_pair_are_those_of_the_matrix(phases):
    document = json.loads(show("--json", phases).stdout)
    assert document["sizes_by_pair"] == [
        {"src": src, "dst": dst, "class": 4, "messages": 200, "bytes": 1600}
        for src, dst in ((0, 1), (0, 2), (1, 3), (2, 3))
    ]


@pytest.fixture
def waits(tmp_path) -> str:
    """Rank 0 waited half a second for each of ranks 1 and 2, for rank 2 in two size classes.

    Rank 1 waited for rank 0.
    """
    file = ProfileFile(3).group(5, 3)
    rows = {
        0: [
            ("MPI_Wait", 1, WAITED, 5, 3, 8),
            ("MPI_Wait", 2, WAITED, 5, 1, 8),
            ("MPI_Wait", 2, WAITED, 5, 4, 64),
        ],
        1: [("MPI_Recv", 0, WAITED, 5, 2, 8)],
        2: [],
    }
    for rank, found in rows.items():
        file.rank(rank).rows(rank, found)
    return str(file.write(tmp_path / "waits.profile"))


def test_who_waits_for_whom_is_listed_with_most_time_first(waits):
    assert json.loads(show("--json", waits).stdout)["waits"] == [
        {"waiter": 0, "awaited": 2, "time_s": 1.0, "count": 5},
        {"waiter": 0, "awaited": 1, "time_s": 0.5, "count": 3},
        {"waiter": 1, "awaited": 0, "time_s": 0.5, "count": 2},
    ]
    text = show(waits).stdout
    assert "Who waits for whom\n  waiter  awaited    time  messages  time a message\n" in text
    assert "       0        2  1.00 s         5          200 ms\n" in text


@pytest.fixture
def collectives(tmp_path) -> str:
    """Four ranks: 8 bytes from each to each, by all-to-all and by all-to-all-v;

    100 bytes broadcast from rank 1.
    """
    file = ProfileFile(4).group(5, 4)
    for rank in range(4):
        others = [("MPI_Alltoallv", peer, TO_PEER, 5, 1, 8) for peer in range(4) if peer != rank]
        file.rank(rank).rows(
            rank,
            [
                ("MPI_Alltoall", -1, CALL | COLLECTIVE, 5, 1, 8),
                ("MPI_Bcast", 1, CALL | COLLECTIVE, 5, 1, 100),
                ("MPI_Alltoallv", -1, CALL, 5, 1, 0),
                *others,
            ],
        )
    return str(file.write(tmp_path / "coll.profile"))


def test_tables_of_collectives_agree_with_their_matrix(collectives):
    # 12 pairs of 8 bytes, twice; 3 x 100 bytes from the root.
    document = json.loads(show("--json", "--layer", "coll", collectives).stdout)
    assert (document["bytes"], document["messages"]) == (96 + 96 + 300, 27)
    assert sum(row["bytes"] for row in document["sizes"]) == document["bytes"]
    assert sum(row["messages"] for row in document["sizes"]) == document["messages"]
    assert sum(row["bytes"] for row in document["sizes_by_pair"]) == document["bytes"]
    by_call = {row["call"]: (row["count"], row["bytes"]) for row in document["calls"]}
    assert by_call == {"MPI_Alltoall": (4, 96), "MPI_Alltoallv": (4, 96), "MPI_Bcast": (4, 300)}


def test_an_algorithm_of_collectives_is_a_layer(collectives):
    document = json.loads(show("--json", "--layer", "coll:binomial", collectives).stdout)
    # The broadcast from 1 goes 1 -> 2, 1 -> 3, 2 -> 0. The all-to-alls go directly.
    sent = {(row["src"], row["dst"]): row["bytes"] for row in document["top_pairs"]}
    assert document["bytes"] == 96 + 96 + 300
    assert (sent[1, 2], sent[1, 3], sent[2, 0]) == (116, 116, 116)
    assert document["sizes"] == document["sizes_by_pair"] == []


@pytest.mark.parametrize("ending", ["npz", "mtx", "csv"])
def test_a_written_matrix_is_read_again(phases, tmp_path, ending):
    target = tmp_path / f"m.{ending}"
    show("-o", str(target), phases)
    written, profile = read_input(str(target)).traffic.folded(), read_input(phases).traffic.folded()
    for column in (0, 1, 2):
        assert written.columns()[column].tolist() == profile.columns()[column].tolist()
    assert written.messages == (800 if ending == "npz" else 4)
    with pytest.raises(InputError, match="already exists"):
        show("-o", str(target), phases)


def test_faults_name_files_without_the_folder_that_the_profile_had(tmp_path):
    file = two_phase_profile()
    folder = file.write(tmp_path / "p")
    content = bytearray(file.content())
    content[-4096 + 4 : -4096 + 8] = b"\1\0\0\0"  # no chunk is one byte long
    (folder / "n0.cwprof").write_bytes(content)
    assert json.loads(show("--json", str(folder)).stdout)["faults"] == [
        "n0.cwprof: 1 damaged parts were left out"
    ]
