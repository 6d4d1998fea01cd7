"""Studies whose runs are replayed or simulated: their files, their rows, and what they lack here."""

from __future__ import annotations

from pathlib import Path

import pytest
from corewise.errors import InputError
from corewise.machines import load
from corewise.studies.driver import StudyResult, run_study
from corewise.studies.kinds.kind import StudyOptions
from corewise.studies.results import to_json
from corewise.studies.study_file import read_study
from otf2_cases import events_profile

REPLAYED = """
format = "corewise-study"
version = 2
name = "replays"
title = "A recorded program on two machines"
source = "a test"
machines = ["pe1550", "draco"]

[runs.app]
kind = "replayed"
engine = "estimate"
compute_factor = 0.0

[runs.app.placements]
block = { solver = "block" }
spread = { solver = "round-robin" }
unbound = { draws = 3 }

[[runs.app.cases]]
machine = ["pe1550", "draco"]
program = "app"
profile = "{program}.events"

[[claims]]
figure = "1"
machines = ["pe1550", "draco"]
claim = "ranks that are spread over nodes wait longer than in block order"
formula = "comm(placement='spread') / comm(placement='block') - 1"
paper = "> 0"
holds = "ours > 0"
"""


def written(folder: Path, text: str) -> Path:
    path = folder / "study.toml"
    path.write_text(text)
    return path


def run(folder: Path, text: str, **options) -> StudyResult:
    return run_study(read_study(written(folder, text)), StudyOptions(folder / "out", **options))


def test_a_recorded_program_is_replayed_on_each_machine_under_each_placement(tmp_path):
    events_profile().write(tmp_path / "app.events")
    result = run(tmp_path, REPLAYED, data=tmp_path)
    rows = {
        (row.labels["machine"], row.labels["placement"]): row.values for row in result.outcomes["app"].rows
    }
    assert set(rows) == {(m, p) for m in ("pe1550", "draco") for p in ("block", "spread", "unbound")}
    # Three ranks: on draco one node holds them all, and so do all draws of its cores.
    assert rows["draco", "block"]["t"] < load("draco:2").levels[-1].latency_s * 5
    assert rows["draco", "unbound"]["t"] < 10 * rows["draco", "block"]["t"]
    assert rows["pe1550", "spread"]["t"] >= rows["pe1550", "block"]["t"] > rows["draco", "block"]["t"]
    claims = to_json(result)["claims"]
    assert {claim["source"] for claim in claims} == {"computed"}
    assert all(isinstance(claim["holds"], bool) for claim in claims)


def test_replays_are_programs_that_a_computed_study_leaves_out(tmp_path):
    events_profile().write(tmp_path / "app.events")
    result = run(tmp_path, REPLAYED, data=tmp_path, started=False)
    assert [claim["because"] for claim in to_json(result)["claims"]] == ["nothing was run"]


def test_a_profile_that_is_not_here_leaves_the_claims_open(tmp_path):
    document = to_json(run(tmp_path, REPLAYED))
    assert "app.events is not among the stored inputs" in document["missing"]["app"]
    assert [claim["holds"] for claim in document["claims"]] == [None]


SIMULATED = REPLAYED.replace('kind = "replayed"', 'kind = "simulated"').replace('engine = "estimate"\n', "")
SIMULATED = SIMULATED.replace('profile = "{program}.events"', 'pattern = "ring"\nranks = 4\nsize = 1024')


def test_a_program_to_simulate_is_the_users_own(tmp_path):
    text = SIMULATED.replace(
        "compute_factor = 0.0", 'program = "the ring"\narguments = ["--sizes", "{size}"]'
    )
    document = to_json(run(tmp_path, text))
    assert "runs the ring in SimGrid's simulator; build it with smpicc" in document["missing"]["app"]
    assert {claim["source"] for claim in document["claims"]} == {"simulated"}


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (REPLAYED.replace('"estimate"', '"estimat"'), "one of smpi, estimate; did you mean 'estimate'"),
        (REPLAYED.replace("profile =", "matrix ="), "cases.*expected one of profile"),
        (REPLAYED.replace("{program}.events", "{class}.events"), r"expected braces around \{machine\}"),
        (SIMULATED.replace("compute_factor = 0.0", 'arguments = ["{n}"]'), r"arguments is '\{n\}'"),
        (SIMULATED.replace("compute_factor = 0.0", "engine = 'smpi'"), "engine is unknown"),
    ],
)
def test_what_is_wrong_in_the_file_is_named(tmp_path, text, sentence):
    with pytest.raises(InputError, match=sentence):
        read_study(written(tmp_path, text))
