"""mpiP's reports: ranks and calls of a small report, and damaged reports that are refused."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner
from corewise.cli import cli
from corewise.errors import InputError
from corewise.profile.mpip import read_mpip
from hypothesis import given, settings
from hypothesis import strategies as st

# A report in the form of mpiP 3.5 (report.c): two ranks send 80 messages of 6000 bytes from one call site and
# one message of 8 bytes from another, and reduce 4 doubles. Rank 1's Send at site 5 took less than the
# threshold.
REPORT = """@ mpiP
@ Command : ./app 3
@ Version                  : 3.5.0
@ MPIP env var             : -t 5.0
@ MPI Task Assignment      : 0 n0
@ MPI Task Assignment      : 1 n1

---------------------------------------------------------------------------
@--- MPI Time (seconds) ---------------------------------------------------
---------------------------------------------------------------------------
Task    AppTime    MPITime     MPI%
   0       1.02      0.203    19.91
   1       1.01       0.51    50.50
   *       2.03      0.713    35.12
---------------------------------------------------------------------------
@--- Callsites: 3 ---------------------------------------------------------
---------------------------------------------------------------------------
 ID Lev File/Address        Line Parent_Funct             MPI_Call
  1   0 app.c                 12 main                     Allreduce
  5   0 app.c                 20 exchange                 Send
  6   0 app.c                 31 exchange                 Send
---------------------------------------------------------------------------
@--- Aggregate Time (top twenty, descending, milliseconds) ----------------
---------------------------------------------------------------------------
Call                 Site       Time    App%    MPI%      Count    COV
Send                    5       0.48    0.02    0.07        160   0.00
---------------------------------------------------------------------------
@--- Callsite Time statistics (all, milliseconds): 5 ----------------------
---------------------------------------------------------------------------
Name              Site Rank  Count      Max     Mean      Min   App%   MPI%
Allreduce            1    0      1      200      200      200  19.61  98.52
Allreduce            1    1      1      500      500      500  49.50  98.04
Allreduce            1    *      2      500      350      200  34.48  98.18

Send                 5    0     80     0.01    0.003    0.002   0.02   0.12
Send                 5    *    160     0.01    0.003    0.002   0.02   0.07

Send                 6    0      1    0.001    0.001    0.001   0.00   0.00
Send                 6    *      1    0.001    0.001    0.001   0.00   0.00
---------------------------------------------------------------------------
@--- Callsite Message Sent statistics (all, sent bytes) -------------------
---------------------------------------------------------------------------
Name              Site Rank   Count       Max      Mean       Min       Sum
Allreduce            1    0       1        32        32        32        32
Allreduce            1    1       1        32        32        32        32
Allreduce            1    *       2        32        32        32        64

Send                 5    0      80      6000      6000      6000   4.8e+05
Send                 5    1      80      6000      6000      6000   4.8e+05
Send                 5    *     160      6000      6000      6000   9.6e+05

Send                 6    0       1         8         8         8         8
Send                 6    *       1         8         8         8         8
---------------------------------------------------------------------------
@--- End of Report --------------------------------------------------------
---------------------------------------------------------------------------
"""


def show(*arguments: str):
    result = CliRunner().invoke(cli, ["show", *arguments])
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


@pytest.fixture
def written(tmp_path):
    def write(text: str) -> str:
        path = tmp_path / "app.2.4711.1.mpiP"
        path.write_text(text)
        return str(path)

    return write


def test_ranks_and_calls_are_read(written):
    document = json.loads(show("--json", written(REPORT)).stdout)
    assert (document["kind"], document["n_ranks"]) == ("mpip", 2)
    assert document["ranks"] == [
        {"rank": 0, "host": "n0", "app_s": 1.02, "mpi_s": 0.203},
        {"rank": 1, "host": "n1", "app_s": 1.01, "mpi_s": 0.51},
    ]
    allreduce, send = document["calls"]
    assert (allreduce["call"], allreduce["count"], allreduce["bytes"]) == ("MPI_Allreduce", 2, 64)
    assert allreduce["time_s"] == pytest.approx(0.7)
    # Both call sites together: 160 calls of 3 us and one of 1 us; 960,000 bytes and 8.
    assert (send["call"], send["count"], send["bytes"]) == ("MPI_Send", 161, 960_008)
    assert send["time_s"] == pytest.approx(481e-6)


def test_the_text_has_both_tables(written):
    text = show(written(REPORT)).stdout
    assert "ranks      2" in text and "not by pairs of ranks" in text
    assert text.index("   1  n1") < text.index("   0  n0")
    assert "MPI_Allreduce" in text


def test_a_report_without_call_sites_has_no_calls(written):
    head, _, rest = REPORT.partition("@--- Callsites")
    end = rest[rest.index("@--- End of Report") :]
    assert json.loads(show("--json", written(head + end)).stdout)["calls"] == []


@pytest.mark.parametrize(
    "options", [("--picture", "m.png"), ("-o", "m.npz"), ("--ranks-per-node", "1"), ("--layer", "coll")]
)
def test_what_needs_pairs_is_refused(written, options):
    with pytest.raises(InputError, match="never who sends to whom; expected a file with pairs of ranks"):
        show(*options, written(REPORT))


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("MPI Time (seconds)", "Task Time Statistics (seconds)", "line 9: expected the verbose report"),
        ("   1       1.01", "   3       1.01", "line 13: times of task 3; expected those of task 1"),
        ("      0.51    50.50", "", "line 13: 2 words in 'MPI Time .seconds.'; expected 4"),
        ("0.203    19.91", "nan    19.91", "line 12: 'nan' in .*; expected a number, 0 or more"),
        ("Assignment      : 1 n1", "Assignment      : 4 n1", "line 6: task 4; expected task 1"),
        ("@ MPI Task Assignment      : 1 n1\n", "", "1 tasks, and the times of 2"),
        ("@--- End of Report", "", "the file ends before its section 'End of Report'"),
    ],
)
def test_a_damaged_report_is_refused_at_its_line(written, old, new, why):
    assert REPORT.count(old) == 1
    with pytest.raises(InputError, match=why):
        show(written(REPORT.replace(old, new)))


@settings(max_examples=100)
@given(n_bytes=st.integers(8, len(REPORT)), rest=st.binary(max_size=30))
def test_every_cut_and_damage_ends_in_a_table_or_one_sentence(tmp_path_factory, n_bytes, rest):
    path = tmp_path_factory.mktemp("mpip") / "app.mpiP"
    path.write_bytes(REPORT.encode()[:n_bytes] + rest)
    try:
        assert len(read_mpip(path).ranks) == 2
    except InputError as refused:
        assert "\n" not in str(refused)
