"""Golden platforms that corewise writes for SimGrid, one per preset."""

from pathlib import Path

import pytest
from corewise.machines import load, presets
from corewise.simulation.smpi_platform import platform_xml
from golden_files import compare_with_golden, goldens_are_of

FOLDER = Path(__file__).parent / "platforms"


@pytest.mark.parametrize("preset", presets())
def test_the_platform_is_the_golden_one(preset):
    # Core 0, the first core that it meets at each level within the node, and a core of the other node.
    machine = load(f"{preset}:2")
    levels = [machine.meeting_level(0, core) for core in range(machine.n_cores)]
    cores = [levels.index(level) for level in sorted(set(levels))]
    compare_with_golden(platform_xml(machine, cores), FOLDER / f"{preset}.txt")


def test_every_preset_has_one():
    goldens_are_of(FOLDER, presets())
