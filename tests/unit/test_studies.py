"""Studies: their files, their computed part, and the document that checks read."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from corewise.errors import InputError
from corewise.studies.driver import StudyOptions, run_study
from corewise.studies.results import text, to_json
from corewise.studies.study_file import load_study, read_study, study_names, topology_of

COREWISE = str(Path(sys.executable).with_name("corewise"))


def computed(name: str, folder: Path):
    return run_study(load_study(name), StudyOptions(folder, measured=False))


@pytest.mark.parametrize("name", study_names())
def test_every_study_is_named_as_its_file_and_has_the_topologies_for_its_threads(name):
    study = load_study(name)
    assert study.name == name
    assert study.threads or study.emulated
    if study.threads:
        assert all(topology_of(machine).is_file() for machine in study.machines)


@pytest.mark.parametrize(("name", "nodes"), [("lavore-fig2", [8]), ("lavore-fig3", [2, 4, 8, 16])])
def test_a_study_of_the_affinity_paper_has_its_nodes_and_repeats(name, nodes):
    study = load_study(name)
    full = study.threads.full
    assert full.nodes == nodes
    assert (full.protocol.warmups, full.protocol.repeats) == (3, 10)


def test_a_wrong_name_gets_the_nearest():
    with pytest.raises(InputError, match="did you mean 'lavore-fig2'"):
        load_study("lavor-fig2")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('judge = "pin-slowest"', "", r"claims\[1\].judge is missing"),
        ('paper = "grows"', "paper = true", "expected a number or a text"),
        ("nodes = [2, 4]", "nodes = []", "expected a list of node counts"),
        ('series = "policy"', 'series = "polcy"', "did you mean 'policy'"),
        ('format = "corewise-study"', 'format = "x"', "expected 'corewise-study'"),
    ],
)
def test_a_wrong_study_is_refused_with_its_key(old, new, message, tmp_path):
    good = (topology_of("x").parents[1] / "lavore-fig3.toml").read_text()
    assert old in good
    (tmp_path / "s.toml").write_text(good.replace(old, new, 1))
    with pytest.raises(InputError, match=message):
        read_study(tmp_path / "s.toml")


@pytest.mark.parametrize("name", ["lavore-fig2", "lavore-fig3"])
def test_what_topology_decides_is_judged_and_times_of_other_machines_are_not(name, tmp_path):
    document = to_json(computed(name, tmp_path))
    by_source = {
        source: [claim for claim in document["claims"] if claim["source"] == source]
        for source in ("computed", "measured")
    }
    assert all(claim["holds"] is True for claim in by_source["computed"])
    assert all(claim["holds"] is None and claim["ours"] is None for claim in by_source["measured"])
    assert all(claim["fitted"] is False and claim["because"] for claim in document["claims"])
    assert list(tmp_path.iterdir()) == []


def test_the_collisions_of_figure_3_are_as_many_as_a_socket_has_cores(tmp_path):
    claims = to_json(computed("lavore-fig3", tmp_path))["claims"]
    collisions = {claim["machines"][0]: claim["ours"] for claim in claims if claim["source"] == "computed"}
    # Perlmutter's two processes have 128 threads each, all on CPUs 0-127: two on each of 128 cores.
    assert collisions == {"devcluster": 10, "deception": 32, "perlmutter": 128}


def test_the_table_shows_every_machine_binding_and_policy_once(tmp_path):
    lines = text(computed("lavore-fig2", tmp_path))
    rows = [line.split()[:3] for line in lines if re.match(r" +(devcluster|deception|perlmutter) ", line)]
    assert len(rows) == len({tuple(row) for row in rows}) == (2 + 2 + 3) * 4
    assert "devcluster: numa binding has the same cores as socket." in lines


def test_the_command_prints_one_document_and_lists_the_studies(tmp_path):
    words = [COREWISE, "study", "lavore-fig3", "--computed", "--json"]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout)["measured"] is None
    listed = subprocess.run([COREWISE, "study", "--list"], capture_output=True, text=True)
    assert [line.split()[0] for line in listed.stdout.splitlines()] == study_names()
