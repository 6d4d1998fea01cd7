"""The machine of a job's hosts, from the topology that each wrote; one process per host by every launcher."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from corewise import machines
from corewise.errors import MissingError
from corewise.launchers import LAUNCHERS, Injection, Job, parse_command
from corewise.machines import node_shapes
from corewise.observe.node_topologies import NodeTopology, machine_from, read_node
from corewise.start.programs import native
from corewise.start.this_node import own_id


def node(host: str, description: str = "core:4 pu:1") -> NodeTopology:
    return NodeTopology(host, "00000000-1", "", [], node_shapes.from_synthetic(description))


def test_nodes_stand_in_the_order_of_the_hosts():
    machine = machine_from(
        ["a", "b", "c"], [node("c", "core:2 pu:2"), node("a"), node("b", "core:1 pu:1")], "", Path("shared")
    )
    assert [machine.n_cores_on(i) for i in range(3)] == [4, 1, 2]
    assert machine.name == "3 hosts"


def test_like_nodes_are_one_shape_whatever_they_are_called():
    machine = machine_from(["a", "b"], [node("a"), node("b")], "", Path("shared"))
    assert machine.fingerprint == machines.load("synthetic:2:core:4 pu:1").fingerprint


def test_a_host_that_does_not_answer_is_named_with_what_the_launcher_printed():
    with pytest.raises(
        MissingError, match=r"host b reported no topology .*1 of 2 did not.*printed: ssh: no route to b"
    ):
        machine_from(["a", "b"], [node("a")], "ssh: no\nroute to b\n", Path("shared"))


def test_the_program_writes_this_node_as_far_as_it_may_be_used(tmp_path):
    subprocess.run([native("corewise-topology"), str(tmp_path)], check=True, timeout=60)
    [path] = tmp_path.iterdir()
    found = read_node(path)
    assert found.id == own_id()
    assert path.name.startswith(f"{found.host}-{found.id}")
    here = machines.here()
    assert machine_from(["localhost"], [found], "", Path("shared")).fingerprint == here.fingerprint


def test_the_program_says_what_it_can_t_write(tmp_path):
    done = subprocess.run(
        [native("corewise-topology"), str(tmp_path / "missing")], capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 1
    assert "No such file or directory; every node must see that folder" in done.stderr


# The command's own host options stay, or are replaced by a file that names each host once. The number of
# ranks is removed.
STARTS = {
    "openmpi4": (
        "mpirun -np 8 --oversubscribe -H a:4,b:4 --mca x y app",
        "mpirun -H a:4,b:4 --mca x y --map-by ppr:1:node --bind-to none -n 2 tell",
        {},
    ),
    "openmpi5": (
        "mpirun -np 8 -H a:4,b:4 app",
        "mpirun -H a:4,b:4 --map-by ppr:1:node --bind-to none --prtemca prte_hetero_nodes 1 -n 2 tell",
        {},
    ),
    "hydra": ("mpiexec -hosts a:4,b:4 -n 8 app", "mpiexec -f /job/hosts -n 2 tell", "a:1\nb:1\n"),
    "srun": (
        "srun -w a,b -N 2 -n 8 --mpi=pmi2 app",
        "srun --mpi=pmi2 --distribution=arbitrary --cpu-bind=none -n 2 tell",
        "a\nb\n",
    ),
}


@pytest.mark.parametrize("name", [name for name, launcher in LAUNCHERS.items() if launcher.version])
def test_every_launcher_that_starts_programs_starts_one_process_on_each_host(name):
    launcher, (typed, started, hosts) = LAUNCHERS[name], STARTS[name]
    command = parse_command(typed.split(), launcher.options)
    command.programs[0].app[:] = ["tell"]
    plan = launcher.each_host(Job(command, ["a", "b"], "/job", Injection("binder"), "command"))
    assert " ".join(plan.argv) == started
    assert plan.files == ({"/job/hosts": hosts} if hosts else {})
    assert plan.env == ({"SLURM_HOSTFILE": "/job/hosts"} if name == "srun" else {})
