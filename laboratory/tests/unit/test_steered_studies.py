"""Studies of steering: the program output that they read, and the paper's table of states."""

from __future__ import annotations

from dataclasses import replace

import pytest
from corewise.errors import MissingError
from corewise_laboratory import packet_work
from corewise_laboratory.studies import steered
from corewise_laboratory.studies.papers import all_studies
from corewise_laboratory.studies.steered import RunFailed, Steered, SteeredProgram, TwoRankRun, mean_behind
from corewise_laboratory.studies.study import Options, run_study

STUDIES = all_studies()


def test_the_table_of_states_comes_out_of_the_decision_function(tmp_path):
    found = run_study(STUDIES["scogland-fig5"], Options(tmp_path, started=False))
    assert [(verdict.ours, verdict.holds) for verdict in found.verdicts] == [({"": 1.0}, True)]
    rows = found.outcomes["states"].rows
    assert len(rows) == 9
    assert {tuple(row.labels.values()) for row in rows if row.values["swaps"]} == {("none", "high")}


def test_a_made_log_says_what_each_rank_does():
    # half of 50 ms waiting, the other half computing
    text = steered.made_log(["pus=0", "pus=1"], [0.5, 0.0])
    assert "rank id=0 core=0 compute_ns=25000000 wait_ns=25000000 calls=100" in text
    assert "rank id=1 core=1 compute_ns=50000000 wait_ns=0 calls=100" in text
    assert text.count("decide\n") == 8


def test_the_mean_behind_a_part_begins_there():
    # They begin at 0, 1, 2 and 6 of 8: only the last begins in the second half.
    assert mean_behind([1, 1, 4, 2], 0.5) == 2
    assert mean_behind([1, 1, 4, 2], 0.25) == 3
    assert mean_behind([3], 0.9) == 3


BENCH = SteeredProgram("idleness", ["--ratio", "{ratio}"])


def run_of(mode: str, program: SteeredProgram = BENCH) -> TwoRankRun:
    case = {"order": "straight", "mode": mode, "ratio": "2"}
    return TwoRankRun(Steered(program=program, work="none"), case, 9.0)


def test_a_micro_benchmark_s_time_is_that_of_its_last_third():
    # 3 s of 9 are left out for settling. Samples begin at 0, 3, 6 and 7 of 9.
    printed = "benchmark,ranks,samples_s\nidleness,2,3.0 3.0 1.0 2.0\n"
    assert steered._told(run_of("watched"), printed) == {"t": 1.5, "settled": 2.0}
    with pytest.raises(RunFailed, match="idleness printed no row"):
        steered._told(run_of("watched"), "nothing")


def test_an_application_s_numbers_are_read_by_pattern():
    run = run_of("watched", SteeredProgram(None, ["lmp"], columns={"t": r"Loop time of (\S+)"}))
    assert steered._told(run, "Loop time of 1.5 on 2 procs") == {"t": 1.5}
    with pytest.raises(RunFailed, match="lmp printed nothing like 'Loop time of"):
        steered._told(run, "Segmentation fault")


def test_a_program_that_is_not_installed_is_missing_and_starts_nothing():
    program = SteeredProgram(None, ["no-such-program"], setup=["false"], columns={"t": "(.)"})
    with pytest.raises(MissingError, match="no-such-program was not found; expected it on PATH"):
        steered.run_steered(run_of("watched", program))


def test_an_axis_stands_in_words_files_and_set_up(tmp_path):
    program = SteeredProgram(
        None, ["true", "{ratio}"], ["water.top"], ["cp water.top top{ratio}"], {"t": "(.)"}
    )
    words = steered._command(run_of("watched", program), tmp_path, tmp_path / "log")
    assert words[-2:] == ["true", "2"]
    assert (tmp_path / "top2").read_text().startswith("#include")


def test_repeats_become_medians_and_finished_ones_are_not_run_again(tmp_path, monkeypatch):
    study = STUDIES["scogland-fig7"]
    started = []

    def made(run):
        started.append(run.case["mode"])
        swaps = float(run.case["mode"] == "steered")
        return {"t": 2.0 - swaps, "swaps": swaps, "wait_0": 0.0, "wait_1": 0.75 - 0.5 * swaps}

    monkeypatch.setattr(steered, "run_steered", made)
    for _ in range(2):
        found = run_study(study, Options(tmp_path))
    assert started == ["watched", "steered"]
    rows = found.outcomes["idleness"].rows
    assert [*rows("t", mode=["watched", "steered"])] == [2.0, 1.0]
    vary, even = found.verdicts
    assert (vary.ours, vary.holds) == ({"": 2.0}, True)  # 2 x 0.75 / 0.75
    assert (even.ours, even.holds) == ({"": 0.5}, True)  # 0.75 - 0.25


def test_a_run_that_fails_leaves_its_claims_open_and_says_why(tmp_path, monkeypatch):
    def failing(run):
        raise RunFailed("it crashed")

    monkeypatch.setattr(steered, "run_steered", failing)
    found = run_study(STUDIES["scogland-fig7"], Options(tmp_path))
    assert found.failed and found.verdicts[0].holds is None
    assert "it crashed" in found.outcomes["idleness"].notes


def test_a_scale_has_its_repeats_and_seconds(tmp_path, monkeypatch):
    seconds = []

    def made(run):
        seconds.append(run.seconds)
        return {"t": 1.0}

    monkeypatch.setattr(steered, "run_steered", made)
    runs = replace(STUDIES["scogland-fig8"].runs["out-of-sync"], vary={"size": ["65536"]})
    runs.run(Options(tmp_path))
    runs.run(Options(tmp_path, full=True))
    assert seconds == [4] * 3 * 3 + [12] * 3 * 5


def test_packets_that_cannot_be_steered_are_one_sentence(monkeypatch):
    monkeypatch.setattr(packet_work.shutil, "which", lambda tool: None)
    with pytest.raises(MissingError, match="unshare was not found; expected Debian's util-linux"):
        packet_work.with_packets_on(0, 1, ["true"])
