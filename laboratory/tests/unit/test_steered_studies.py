"""Studies of steering: their files, the program output that they read, and the paper's table of states."""

from __future__ import annotations

import pytest
from corewise.errors import InputError, MissingError
from corewise_laboratory.studies import steered_running
from corewise_laboratory.studies.driver import run_study
from corewise_laboratory.studies.kinds import decisions, steered
from corewise_laboratory.studies.kinds.kind import StudyOptions
from corewise_laboratory.studies.steered_running import RunFailed, TwoRankRun, mean_behind
from corewise_laboratory.studies.steered_spec import ProtocolWork, SteeredProgram
from corewise_laboratory.studies.study_file import load_study, read_study, study_names, study_path

STEERED = [name for name in study_names() if name.startswith("scogland-")]


def test_every_figure_of_the_paper_with_claims_on_states_or_times_has_a_study():
    assert sorted(int(name.removeprefix("scogland-fig")) for name in STEERED) == [2, 5, 6, 7, 8, 9, 10]


def test_the_table_of_states_comes_out_of_the_decision_function(tmp_path):
    result = run_study(load_study("scogland-fig5"), StudyOptions(tmp_path, started=False))
    assert [(verdict.ours, verdict.holds) for verdict in result.verdicts] == [(1, True)]
    rows = result.outcomes["states"].rows
    assert len(rows) == 9
    assert {tuple(row.labels.values()) for row in rows if row.values["swaps"]} == {("none", "high")}


def test_a_made_log_says_what_each_rank_does():
    # half of 50 ms waiting, the other half computing
    text = decisions.made_log(["pus=0", "pus=1"], [0.5, 0.0])
    assert "rank id=0 core=0 compute_ns=25000000 wait_ns=25000000 calls=100" in text
    assert "rank id=1 core=1 compute_ns=50000000 wait_ns=0 calls=100" in text
    assert text.count("decide\n") == 8


def test_the_mean_behind_a_part_begins_there():
    # They begin at 0, 1, 2 and 6 of 8: only the last begins in the second half.
    assert mean_behind([1, 1, 4, 2], 0.5) == 2
    assert mean_behind([1, 1, 4, 2], 0.25) == 3
    assert mean_behind([3], 0.9) == 3


PROGRAM = SteeredProgram("idleness", ["--ratio", "{ratio}"])


def run_of(mode: str, **changed) -> TwoRankRun:
    given = {"program": PROGRAM, "work": ProtocolWork("none"), "family": "openmpi", "order": "straight"}
    return TwoRankRun(**given | {"mode": mode, "values": {"ratio": "2"}, "seconds": 9.0} | changed)


def test_a_micro_benchmark_s_time_is_that_of_its_last_third():
    # 3 s of 9 are left out for settling. Samples begin at 0, 3, 6 and 7 of 9.
    printed = "benchmark,ranks,samples_s\nidleness,2,3.0 3.0 1.0 2.0\n"
    assert steered_running._told(run_of("plain"), printed) == {"t": 1.5, "settled": 2.0}
    with pytest.raises(RunFailed, match="idleness printed no row"):
        steered_running._told(run_of("plain"), "nothing")


def test_an_application_s_numbers_are_read_by_pattern():
    program = SteeredProgram(None, ["lmp"], columns={"t": r"Loop time of (\S+)"})
    run = run_of("plain", program=program)
    assert steered_running._told(run, "Loop time of 1.5 on 2 procs") == {"t": 1.5}
    with pytest.raises(RunFailed, match="lmp printed nothing like 'Loop time of"):
        steered_running._told(run, "Segmentation fault")


def test_a_program_that_is_not_installed_is_missing_and_starts_nothing(tmp_path):
    program = SteeredProgram(None, ["no-such-program"], setup=[["false"]], columns={"t": "(.)"})
    with pytest.raises(MissingError, match="no-such-program was not found; expected it on PATH"):
        steered_running.run_steered(run_of("watched", program=program))


def test_an_axis_stands_in_words_files_and_set_up(tmp_path):
    files = {"box": "water {ratio}, {{braces}}"}
    program = SteeredProgram(None, ["true", "{ratio}"], files, [["cp", "box", "box{ratio}"]], {"t": "(.)"})
    words = steered_running._command(run_of("plain", program=program), tmp_path, tmp_path / "log")
    assert words[-2:] == ["true", "2"]
    assert (tmp_path / "box2").read_text() == "water 2, {braces}"


def test_repeats_become_medians_and_finished_ones_are_not_run_again(tmp_path, monkeypatch):
    study = load_study("scogland-fig7")
    runs = study.runs["idleness"]
    started = []

    def made(run):
        started.append(run.mode)
        swaps = float(run.mode == "steered")
        return {"t": 2.0 - swaps, "swaps": swaps, "wait_0": 0.0, "wait_1": 0.75 - 0.5 * swaps}

    monkeypatch.setattr(steered, "run_steered", made)
    for _ in range(2):
        outcome = steered.KIND.run(runs, StudyOptions(tmp_path))
    assert started == ["watched", "steered"]
    times = {row.labels["mode"]: row.values["t"] for row in outcome.rows}
    assert times == {"watched": 2.0, "steered": 1.0}
    vary, even = run_study(study, StudyOptions(tmp_path / "whole")).verdicts
    assert (vary.ours, vary.holds) == (2.0, True)  # 2 x 0.75 / 0.75
    assert (even.ours, even.holds) == (0.5, True)  # 0.75 - 0.25


def test_a_run_that_fails_leaves_its_claims_open_and_says_why(tmp_path, monkeypatch):
    def failing(run):
        raise RunFailed("it crashed")

    monkeypatch.setattr(steered, "run_steered", failing)
    result = run_study(load_study("scogland-fig7"), StudyOptions(tmp_path))
    assert result.failed and result.verdicts[0].holds is None
    assert "it crashed" in result.outcomes["idleness"].notes


def test_what_two_cores_cannot_show_is_open_with_its_reason(tmp_path):
    result = run_study(load_study("scogland-fig9"), StudyOptions(tmp_path, started=False))
    assert {verdict.holds for verdict in result.verdicts} == {None}
    assert all("it needs" in verdict.because for verdict in result.verdicts)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('work = "load"', 'work = "lode"', "expected one of none, packets, load"),
        ('bench = "idleness"', 'bench = "idle"', "expected a micro-benchmark"),
        ('modes = ["watched"', 'modes = ["watch"', "expected some of plain, watched, steered"),
        ("repeats = 1", "repeats = 0", "repeats"),
    ],
)
def test_a_wrong_word_names_what_is_expected(tmp_path, old, new, message):
    text = study_path("scogland-fig7").read_text()
    assert old in text
    wrong = tmp_path / "wrong.toml"
    wrong.write_text(text.replace(old, new, 1))
    with pytest.raises(InputError, match=message):
        read_study(wrong)


def test_packets_that_cannot_be_steered_are_one_sentence(monkeypatch):
    from corewise_laboratory import packet_work

    monkeypatch.setattr(packet_work.shutil, "which", lambda tool: None)
    with pytest.raises(MissingError, match="unshare was not found; expected Debian's util-linux"):
        packet_work.with_packets_on(0, 1, ["true"])
