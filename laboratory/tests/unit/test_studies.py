"""Studies: their files, their computed part, and the document that checks read."""

import json
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from corewise import Input
from corewise.errors import InputError, MissingError
from corewise.machines import load
from corewise.model import Assignment, CommMatrix, Traffic
from corewise.plots.picture_file import SIGNATURE
from corewise_laboratory.studies import all_studies
from corewise_laboratory.studies.all_studies import run_all
from corewise_laboratory.studies.claims_page import claims_page
from corewise_laboratory.studies.driver import run_study
from corewise_laboratory.studies.figures import claims_compared, draw_study, grid_of
from corewise_laboratory.studies.kinds import KINDS
from corewise_laboratory.studies.kinds.kind import StudyOptions
from corewise_laboratory.studies.kinds.thread_places import topology_of
from corewise_laboratory.studies.model_changes import OUTCOMES, outcomes_of
from corewise_laboratory.studies.rank_distance import rank_distances
from corewise_laboratory.studies.result import StudyResult
from corewise_laboratory.studies.results import text
from corewise_laboratory.studies.stored_inputs import stored_input
from corewise_laboratory.studies.study_file import load_study, read_study, study_names, study_path
from corewise_laboratory.studies.time_models import TIME_MODELS, TimeModel
from msgspec import structs
from sources import ROOT

# src, dst, bytes and messages of a single message
COLUMNS = ((0, np.int32), (1, np.int32), (2_000_000, np.uint64), (1, np.uint64))
COREWISE = str(Path(sys.executable).with_name("corewise"))


def computed(name: str, folder: Path):
    return run_study(load_study(name), StudyOptions(folder, started=False))


@pytest.mark.parametrize("name", study_names())
def test_every_study_is_named_as_its_file_and_has_the_inputs_of_its_runs(name):
    study = load_study(name)
    assert study.name == name and study.runs and study.claims
    for runs in study.runs.values():
        assert all(topology_of(machine).is_file() for machine in getattr(runs.spec, "machines", []))
        stored = [case.stored for case in getattr(runs.spec, "cases", []) if getattr(case, "stored", "")]
        stored += getattr(runs.spec, "profiles", {}).values()
        assert all(stored_input(name, None).is_file() for name in stored)


def test_the_register_of_kinds_is_sorted_by_name():
    assert list(KINDS) == sorted(KINDS)


@pytest.mark.parametrize(("name", "nodes"), [("lavore-fig2", [8]), ("lavore-fig3", [2, 4, 8, 16])])
def test_a_study_of_the_affinity_paper_has_its_nodes_and_repeats(name, nodes):
    study = load_study(name)
    full = study.runs["times"].spec.full
    assert full.nodes == nodes
    assert (full.protocol.warmups, full.protocol.repeats) == (3, 10)


def test_a_wrong_name_gets_the_nearest():
    with pytest.raises(InputError, match="did you mean 'lavore-fig2'"):
        load_study("lavor-fig2")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('id = "lavore-fig3-pin-s', 'di = "lavore-fig3-pin-s', r"claims\[0\].di is unknown"),
        ('over = "mean"', 'over = "man"', "did you mean 'mean'"),
        ('formula = "min(', 'formula = "min((', r"claims\[0\].formula: the formula 'min\(\(.*can't be read"),
        ('formula = "min(', 'formula = "lambda: min(', "holds Lambda"),
        ("all = { published", "all = { publshed", "runs.places.origins.all.publshed is unknown"),
        ('runs = "places"', 'runs = "place"', "did you mean 'places'"),
        ("nodes = [2, 4]", "nodes = []", "expected a list of node counts"),
        ('series = ["policy"]', 'series = ["polcy"]', "did you mean 'policy'"),
        ('kind = "threads"', 'kind = "thread"', "did you mean 'threads'"),
        ('kind = "scatter"', 'kind = "scater"', "did you mean 'scatter'"),
        ('format = "corewise-study"', 'format = "x"', "expected 'corewise-study'"),
    ],
)
def test_a_wrong_study_is_refused_with_its_key(old, new, message, tmp_path):
    good = study_path("lavore-fig3").read_text()
    assert old in good
    (tmp_path / "s.toml").write_text(good.replace(old, new, 1))
    with pytest.raises(InputError, match=message):
        read_study(tmp_path / "s.toml")


def test_each_engine_has_its_own_number_of_samples(tmp_path):
    good = study_path("zhang-fig8").read_text()
    given = "samples = { estimate = 32, smpi = 8 }"
    assert given in good
    assert read_study(study_path("zhang-fig8")).runs["random"].spec.samples == {"estimate": 32, "smpi": 8}
    (tmp_path / "s.toml").write_text(good.replace(given, "samples = 2"))
    assert read_study(tmp_path / "s.toml").runs["random"].spec.samples == {"estimate": 2, "smpi": 2}
    (tmp_path / "s.toml").write_text(good.replace(given, "samples = { estimate = 32, smi = 8 }"))
    with pytest.raises(InputError, match=r"runs.random.samples.smi is unknown .*did you mean 'smpi'"):
        read_study(tmp_path / "s.toml")


def test_each_engine_averages_its_own_number_of_random_placements(monkeypatch, tmp_path):
    asked = {"estimate": 0, "smpi": 0}

    def numbered(engine: str) -> TimeModel:
        def time_s(*_: object) -> float:
            asked[engine] += 1
            return float(asked[engine])

        return replace(TIME_MODELS[engine], time_s=time_s)

    for engine in asked:
        monkeypatch.setitem(TIME_MODELS, engine, numbered(engine))
    rows = computed("zhang-fig14", tmp_path).outcomes["nas"].rows
    unbound = {row.labels["engine"]: row for row in rows if row.labels["placement"] == "unbound"}
    n_cases = asked["smpi"] // (1 + 1 + 4)
    assert asked == {"estimate": n_cases * (1 + 1 + 32), "smpi": n_cases * (1 + 1 + 4)}
    # The last case: times n, n - 1, ... of the last draws of each engine.
    assert unbound["smpi"].values["t"] == asked["smpi"] - 1.5
    assert unbound["estimate"].values["t"] == asked["estimate"] - 15.5


@pytest.mark.parametrize("name", ["lavore-fig2", "lavore-fig3"])
def test_what_topology_decides_is_judged_and_times_of_other_machines_are_not(name, tmp_path):
    document = computed(name, tmp_path).result.to_json()
    by_source = {
        source: [claim for claim in document["claims"] if claim["source"] == source]
        for source in ("computed", "measured")
    }
    assert all(claim["holds"] is not None for claim in by_source["computed"])
    assert all(claim["holds"] is None and claim["ours"] is None for claim in by_source["measured"])
    assert all(claim["fitted"] is False and claim["because"] for claim in document["claims"])
    assert list(tmp_path.iterdir()) == []


def test_the_collisions_of_figure_3_are_as_many_as_a_socket_has_cores(tmp_path):
    rows = computed("lavore-fig3", tmp_path).outcomes["places"].rows
    wanted = {"policy": "pin", "binding": "socket"}
    collisions = {
        row.labels["machine"]: row.values["shared_cores"]
        for row in rows
        if wanted.items() <= row.labels.items()
    }
    # Perlmutter's two processes have 128 threads each, all on CPUs 0-127, so each of 128 cores has two.
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
    assert list(json.loads(done.stdout)["runs"]) == ["places"]
    listed = subprocess.run([COREWISE, "study", "--list"], capture_output=True, text=True)
    assert [line.split()[0] for line in listed.stdout.splitlines()] == study_names()


def test_without_its_data_a_study_says_so_and_its_claims_stay_open(tmp_path):
    with pytest.raises(MissingError, match=r"npb/x.npz is not among the stored inputs; trace .* with --data"):
        stored_input("npb/x.npz", None)
    lacking = tmp_path / "s.toml"
    lacking.write_text(study_path("zhang-fig12").read_text().replace("lu.C.{ranks}", "lu.D.{ranks}"))
    document = run_study(read_study(lacking), StudyOptions(tmp_path / "d")).result.to_json()
    assert "lu.D.16.npz is not among the stored inputs" in document["missing"]["nas"]
    assert {(claim["holds"], claim["ours"]) for claim in document["claims"]} == {(None, None)}
    assert all("lu.D.16.npz" in claim["because"] for claim in document["claims"])


def test_a_folder_of_the_users_own_inputs_comes_first(tmp_path):
    (tmp_path / "npb").mkdir()
    (tmp_path / "npb" / "cg.C.16.npz").touch()
    assert stored_input("npb/cg.C.16.npz", tmp_path).parent == tmp_path / "npb"
    assert stored_input("npb/cg.C.32.npz", tmp_path).parents[2] == study_path("zhang-fig5").parent


def readings(judged, claim: str) -> tuple[float, float]:
    """The estimator's values for a claim, with the machine's figures and with fitted figures.

    Fitted figures were adjusted to the paper's times. In the list, SMPI's values are between these two.
    """
    (found,) = [verdict for verdict in judged.verdicts if verdict.id == claim]
    return found.ours[0], found.ours[len(found.ours) // 2]


def test_the_ring_of_figure_5_matters_as_much_as_the_arithmetic_says(tmp_path):
    # Draco, 8 ranks, 128 KB. In the best placement, two messages per step use an L2's link at 1.25 GB/s, in
    # the worst four. A message between packages takes 1.1 us more, and both placements have some.
    _, fitted = readings(computed("zhang-fig5", tmp_path), "zhang-fig5-draco-8-128kb-ring-100-percent")
    best_s, worst_s = (n * 131072 / 1.25e9 + 1.1e-6 for n in (2, 4))
    assert fitted == pytest.approx(worst_s / best_s - 1, rel=1e-6)


def test_the_fitted_machines_give_the_figures_that_they_were_fitted_to(tmp_path):
    ring, doubling = (computed(name, tmp_path) for name in ("zhang-fig5", "zhang-fig7"))
    assert readings(doubling, "zhang-fig7-draco-8-128kb-time")[1] == pytest.approx(1.68, rel=0.01)
    assert readings(doubling, "zhang-fig7-jaguar-8-128kb-time")[1] == pytest.approx(0.98, rel=0.01)
    assert readings(ring, "zhang-fig5-jaguar-8-128kb-ring-17-percent")[1] == pytest.approx(0.17, abs=0.01)


def test_a_core_of_jaguar_copies_what_crosses_packages_more_slowly(tmp_path):
    # 8 ranks, 128 KB. In the ring's worst placement each core sends and receives between packages, in the
    # best no core does both. Of the broadcast's three steps all or only one are between packages.
    within_s, across_s = 131072 / 1.985e9, 131072 / 1.407e9
    _, ring = readings(computed("zhang-fig5", tmp_path), "zhang-fig5-jaguar-8-128kb-ring-17-percent")
    best_s, worst_s = within_s + across_s + 0.6e-6, 2 * across_s + 0.6e-6
    assert ring == pytest.approx(worst_s / best_s - 1, rel=1e-4)
    rows = computed("zhang-fig6", tmp_path).outcomes["binomial"].rows
    wanted = {
        "machine": "jaguar-xt5",
        "figures": "calibrated",
        "ranks": "8",
        "size": "131072",
        "engine": "estimate",
    }
    t = {row.labels["placement"]: row.values["t"] for row in rows if wanted.items() <= row.labels.items()}
    assert t["best"] == pytest.approx(2 * within_s + across_s + 2 * 0.4e-6 + 0.6e-6, rel=1e-4)
    assert t["worst"] == pytest.approx(3 * (across_s + 0.6e-6), rel=1e-4)


@pytest.mark.parametrize(
    ("nodes", "least", "most"),
    [([0, 1, 0, 1], 2, 2), ([0, 0, 0, 1], 1, 2), ([0, 1, 2], None, None), ([], None, None)],
)
def test_ranks_that_share_a_node_are_so_far_apart(nodes, least, most):
    assert rank_distances(nodes) == {"rank_distance_least": least, "rank_distance_most": most}


def test_hpl_s_messages_are_frequent_between_neighbours_and_large_between_every_other(tmp_path):
    found = {verdict.id: verdict for verdict in computed("leng-fig3-4", tmp_path).verdicts}
    largest = found["leng-fig3-16-large-messages-600-to-800-kb"]
    # A panel of NB = 80 columns and half of N = 2000 rows: 80 x 1000 x 8 bytes = 640 KB.
    assert (largest.ours, largest.holds, largest.source) == (2**19, True, "measured")


@pytest.mark.parametrize("name", ["lavore-fig3", "zhang-fig5", "zhang-fig11"])
def test_the_page_and_the_stored_outcomes_are_what_the_command_makes(name, tmp_path):
    # Only quick studies, because the same code and data produce the others.
    page = (ROOT / "docs" / "evidence" / "log" / "claims.md").read_text().splitlines()
    stored = json.loads((ROOT / OUTCOMES).read_text())
    results = {name: computed(name, tmp_path).result}
    ids = {verdict.id for verdict in results[name].claims} - {""}
    made = [line for line in claims_page(results).splitlines() if line.split(" | ")[0].strip("| ") in ids]
    assert len(made) >= len(ids) and [line for line in made if line not in page] == []
    assert all(stored[claim] == found for claim, found in outcomes_of(results, {}).items())


def test_all_studies_go_on_after_one_that_fails_and_are_not_run_again(tmp_path, monkeypatch):
    for name in ("lavore-fig3", "zhang-fig5"):
        (tmp_path / f"{name}.toml").write_bytes(study_path(name).read_bytes())
    (tmp_path / "a-broken.toml").write_text("format = 1")
    names = ["a-broken", "lavore-fig3", "zhang-fig5"]
    monkeypatch.setattr(all_studies, "study_names", lambda: names)
    monkeypatch.setattr(all_studies, "study_path", lambda name: tmp_path / f"{name}.toml")
    said = []
    options = StudyOptions(tmp_path / "d", started=False, tell=said.append)
    first = run_all(options)
    assert list(first.found) == names[1:] and list(first.problems) == ["a-broken"]
    assert "expected 'corewise-study'" in first.problems["a-broken"]
    said.clear()
    again = run_all(options)
    finished = [f"{name} is finished in {tmp_path / 'd' / name}" for name in names[1:]]
    assert [sentence for sentence in said if "finished" in sentence] == finished
    assert [result.claims for result in again.found.values()] == [
        result.claims for result in first.found.values()
    ]
    kept = StudyResult.read(tmp_path / "d" / "zhang-fig5" / "study.json")
    assert structs.replace(kept, digest="") == first.found["zhang-fig5"]
    # A study that has changed is run again.
    study = tmp_path / "zhang-fig5.toml"
    study.write_text(study.read_text() + "\n")
    said.clear()
    run_all(options)
    assert [sentence for sentence in said if "finished" in sentence] == finished[:1]


def test_every_claim_beside_the_paper_s_number_is_drawn(tmp_path):
    options = StudyOptions(tmp_path, started=False)
    result = run_study(load_study("zhang-fig5"), options)
    drawn = draw_study(result.study, result.outcomes, result.verdicts)
    assert list(drawn) == ["figure-1.png", "figure-2.png", "claims.png"]
    assert all(png.startswith(SIGNATURE) for png in drawn.values())
    compared = claims_compared(result.verdicts)["zhang-fig5-draco-8-128kb-ring-100-percent"]
    ours = [f"ours, {name}, {one}" for one in ("data sheets", "calibrated") for name in ("estimate", "smpi")]
    assert list(compared[""]) == ["paper", *ours]
    grid = grid_of(result.study.figures[1], result.outcomes["ring"].rows)
    at = grid["estimate, ranks 8"]["131072"]
    assert at["paper: draco"].expected == 1.0
    assert at["draco, calibrated"].expected == pytest.approx(0.995, abs=1e-3)  # 420.5 us over 210.8


@pytest.mark.parametrize("name", [name for name in TIME_MODELS if name != "smpi"])
def test_an_engine_gives_the_time_of_one_message_over_the_network(name):
    # 2e6 bytes at 2 GB/s and 3 us on the way: Draco's network.
    machine = load("draco:2")
    traffic = Traffic.of(CommMatrix.from_columns(2, *(np.array([i], dtype=t) for i, t in COLUMNS)))
    found = Input("pair", "pattern", traffic)
    time_s = TIME_MODELS[name].time_s(found, machine, Assignment.from_cores([0, 8]))
    assert time_s == pytest.approx(1e-3, rel=0.02)


def test_the_register_of_engines_is_sorted_by_name():
    assert list(TIME_MODELS) == sorted(TIME_MODELS)
