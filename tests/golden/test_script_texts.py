"""Golden job scripts: one placement, for each batch system with each of its launchers."""

from __future__ import annotations

from pathlib import Path

import pytest
from corewise.batch import BATCH_SYSTEMS, launcher_in
from corewise.batch.script import Script
from corewise.errors import InputError
from corewise.launchers import EXPORTED, LAUNCHERS, Injection
from corewise.nouns.placement import Placement
from golden_files import compare_with_golden, goldens_are_of

FOLDER = Path(__file__).parent / "scripts"

# Two cores per rank, the same cores on each node. Ranks alternate between the nodes, so the order of hosts
# matters.
PLACEMENT = Placement(
    machine="golden",
    fingerprint="f",
    node_fingerprints=["f"] * 2,
    node=[1, 0, 1, 0],
    cores=[[0, 1], [0, 1], [2, 3], [2, 3]],
    os_pus=[[0, 2], [0, 2], [4, 6], [4, 6]],
)


@pytest.mark.parametrize("name", BATCH_SYSTEMS)
def test_a_job_script_is_as_written_down(name):
    system = BATCH_SYSTEMS[name]
    texts = []
    for launcher in (LAUNCHERS | EXPORTED).values():
        if system.hosts in launcher.allocations:
            script = Script(system, launcher, PLACEMENT, Injection("/opt/corewise/corewise-bind"))
            try:
                texts.append(f"== {launcher.name}\n{script.text()}")
            except InputError as error:
                texts.append(f"== {launcher.name}\nrefused: {error}\n")
    assert launcher_in(system, None).name in [text.split()[1] for text in texts]
    compare_with_golden("\n".join(texts), FOLDER / f"{name}.txt")


def test_no_golden_is_left_of_a_batch_system_that_is_gone():
    goldens_are_of(FOLDER, BATCH_SYSTEMS)
