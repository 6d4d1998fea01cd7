"""Which GPUs a rank could see by its variables, and whether others are nearer, on recorded nodes."""

from __future__ import annotations

from pathlib import Path

import pytest
from corewise import machines
from corewise.launchers import LAUNCHERS, parse_command
from corewise.launchers.device_variables import gpu_options, gpus_shown
from corewise.machines.devices import devices_of_ranks
from corewise.model import Assignment
from corewise.nouns.placement import Placement
from corewise.observe.gpu_notes import RankDevices, gpu_notes
from corewise.start.near import Near
from device_cases import card, node

# Cores 0-3 are near GPUs 0 and 1 (in order of the PCI bus), cores 4-7 near GPU 2: renderD128 to renderD130.
NODE = machines.load(str(Path(__file__).parents[2] / "fixtures" / "topologies" / "gpus.xml"))
MAKERS = {"nvidia": "10de:2330", "amd": "1002:74a0", "intel": "8086:0bd5"}
CUDA, SLURM = "CUDA_VISIBLE_DEVICES", "SLURM_STEP_GPUS"


def rank(number: int, cores: str, shown: str | None, *files: str, **seen: str) -> RankDevices:
    variables = seen if shown is None else {CUDA: shown, **seen}
    return RankDevices(number, frozenset(map(int, cores)), variables, set_by_us=False, files=files)


def notes(*ranks: RankDevices, **environment: str) -> dict[int, list[str]]:
    return gpu_notes(ranks, NODE, 0, environment)


def test_a_gpu_far_from_the_rank_is_named_with_a_nearer_one():
    assert notes(rank(0, "4", "0"), rank(1, "5", "2")) == {
        0: [
            "sees GPU renderD128, which is near cores 0-3 (logical); GPU renderD130 is near its own cores",
        ]
    }


def test_two_ranks_on_one_gpu_are_named_if_another_has_none():
    assert notes(rank(0, "0", "0"), rank(1, "1", "0"), rank(2, "4", "2")) == {
        0: ["shares GPU renderD128 with rank 1; no rank sees GPU renderD129"],
        1: ["shares GPU renderD128 with rank 0; no rank sees GPU renderD129"],
    }


@pytest.mark.parametrize(
    "ranks",
    [
        [rank(0, "0", "0"), rank(1, "1", "1"), rank(2, "4", "2")],
        [rank(0, "0", "0"), rank(1, "1", "1"), rank(2, "4", "2"), rank(3, "5", "2")],  # all GPUs are used
        [rank(0, "01234567", "2"), rank(1, "01234567", "1"), rank(2, "01234567", "0")],  # not bound
        [rank(0, "4", "0,2"), rank(1, "0", "1")],  # one of the two visible GPUs is near
        [rank(0, "0", None), rank(1, "1", None)],  # no variable: each rank may use any GPU
        [rank(0, "0", "0"), rank(1, "1", "0"), rank(2, "2", None)],  # rank 2 may use the GPU that is left
        [rank(0, "4", ""), rank(1, "4", "7"), rank(2, "4", "GPU-1")],  # no GPU, and unknown GPUs
        [rank(0, "4", "0", **{SLURM: "0,1,2"}), rank(1, "5", "0", **{SLURM: "0,1,2"})],  # within a cgroup
        [rank(0, "4", "0", "/dev/nvidia2"), rank(1, "0", "0", "/dev/nvidia0")],  # within a container
    ],
)
def test_nothing_is_said_of_what_fits_or_is_not_known(ranks):
    assert notes(*ranks) == {}


def test_gpus_that_the_job_was_not_given_are_not_free():
    both = rank(0, "0", "0"), rank(1, "1", "0")
    assert notes(*both, **{CUDA: "0"}) == {}
    assert notes(*(rank(one.rank, "0", "0", **{SLURM: "0"}) for one in both)) == {}
    assert list(notes(*both, **{CUDA: "0,1"})) == [0, 1]


def test_slurm_s_list_gives_numbers_their_meaning():
    seen = {CUDA: "0,1", SLURM: "1,2"}
    gpus = gpus_shown(seen, NODE.devices(0), 1, None)
    assert [gpu.bus_id for gpu in gpus] == ["0000:3c:00.0", "0000:d8:00.0"]


def test_open_files_that_fit_the_number_are_no_contradiction():
    assert list(notes(rank(0, "4", "0", "/dev/nvidia0", "/dev/nvidia1"))) == [0]


@pytest.mark.parametrize(
    ("cards", "wanted", "environment"),
    [
        ([["cuda0"], ["cuda1"]], "nvidia", {}),
        ([["cuda0"], ["cuda1"]], "nvidia", {CUDA: "4,6", "SLURM_JOB_GPUS": "0,1"}),
        ([["rsmi1"], ["rsmi0"]], "amd", {}),
        ([["rsmi1"], ["rsmi0"]], "amd", {"ROCR_VISIBLE_DEVICES": "0,1"}),
        ([["ze0(ze0.0 ze0.1)"], ["ze1(ze1.0 ze1.1)"]], "intel", {}),
        ([["ze0(ze0.0 ze0.1)"], ["ze1(ze1.0 ze1.1)"]], "intel", {"ZE_FLAT_DEVICE_HIERARCHY": "COMPOSITE"}),
    ],
)
def test_what_corewise_shows_a_rank_is_read_back_as_that_gpu(tmp_path, cards, wanted, environment):
    packages = [
        [card(f"0000:{bus}8:00.0", MAKERS[wanted], *names)] for bus, names in zip("19", cards, strict=True)
    ]
    machine = machines.load(node(tmp_path / "node.xml", *packages))
    placement = Placement.of(Assignment.from_cores([0, 2, 3]), machine)
    devices = devices_of_ranks(placement, machine, wanted)
    for device, variables in zip(devices, Near(wanted, machine).shown(placement, environment), strict=True):
        [found] = gpus_shown({**environment, **variables}, machine.devices(0), 1, environment)
        assert (found.bus_id, found.part) == (device.bus_id, device.part)


def test_options_that_ask_for_gpus_are_those_of_the_command():
    words = "srun -n 2 --gpus-per-task=1 --gpu-bind closest -G 2 --gres=gpu:2 --gres=nvme:1 --mem=1G ./a"
    assert gpu_options(parse_command(words.split(), LAUNCHERS["srun"].options)) == [
        *("--gpus-per-task=1", "--gpu-bind closest", "-G 2", "--gres=gpu:2"),
    ]
