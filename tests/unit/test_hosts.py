"""Hosts of a job: from its command, its host file, or the environment of its allocation."""

from __future__ import annotations

import os

import pytest
from corewise.errors import InputError, MissingError
from corewise.launchers import LAUNCHERS, Launcher, parse_command
from corewise.launchers.allocation import cobalt, grid_engine, lsf, pbs, slurm
from corewise.launchers.hosts import Host, distinct, distinct_names, host_file
from corewise.start.allocation import hosts_of
from corewise.text.node_list import MOST_NODES, expand_node_list
from launcher_cases import TWO_FAMILIES


def hosts(launcher: Launcher, options: str, environment: dict[str, str] | None = None):
    command = parse_command([*launcher.start, *options.split(), "app"], launcher.options)
    found, source = hosts_of(command, launcher, environment or {})
    return [(host.name, host.n_slots) for host in found], source


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ("-H n1:2,n2", [("n1", 2), ("n2", None)]),
        ("-host n2 -host n1,n2", [("n2", 2), ("n1", None)]),  # an entry without slots counts as one slot
        ("-H 10.77.0.1,10.77.0.2:*", [("10.77.0.1", None), ("10.77.0.2", None)]),
        ("-H n[1-2,5]:4,m1", [("n1", 4), ("n2", 4), ("n5", 4), ("m1", None)]),
        ("--hostfile FILE", [("n3", 3), ("n4", 2), ("n_5", None), ("k07", 2), ("k08", 2)]),
    ],
)
def test_hosts_are_the_distinct_ones_in_the_order_named(tmp_path, options, expected):
    file = tmp_path / "hosts"
    file.write_text(
        "# three hosts\nn3 max-slots=4 slots = 2\n\nn4:2  # the other\nn3\nn_5\nk[07-08] slots=2\n"
    )
    found = hosts(LAUNCHERS["openmpi4"], options.replace("FILE", str(file)), {"SLURM_JOB_NODELIST": "x"})
    assert found == (expected, "command")


def test_a_command_that_names_none_outside_an_allocation_runs_here():
    assert hosts(LAUNCHERS["openmpi4"], "-n 2") == ([("localhost", None)], "nowhere")


def test_a_host_named_short_and_with_its_domain_is_one():
    named = [Host(name, 2) for name in ("n1", "n2.a", "N1.cluster", "n2.b", "n2.a", "10.0.0.1", "10.0.0.2")]
    found = [(host.name, host.n_slots) for host in distinct(named)]
    assert found == [("n1", 4), ("n2.a", 4), ("n2.b", 2), ("10.0.0.1", 2), ("10.0.0.2", 2)]
    with pytest.raises(InputError, match="host 'n1' appears twice"):
        distinct_names("n1,n1.cluster")


@pytest.mark.parametrize(
    ("line", "n_slots"),
    [
        *((f"n1 {name}=4", 4) for name in ("slots", "cpu", "count")),
        *((f"n1 {name}=3", 3) for name in ("max_slots", "max-slots", "slots-max", "cpu_max", "count-max")),
        ("n1 max_slots=8 cpu = 2", 2),  # `cpu` gives the slots, max_slots only their limit
        ("n1 username=me slots=2  // the login", 2),
        ("n1:4", 4),
        ("me@n1 slots=2", 2),
        ("me.too@n1:4", 4),
        ("n1:4:mlx5_0", 4),  # MVAPICH2: host, ranks, network card
        ("n1  // slots=9", None),
        ("n1 myslots=9", None),
        ("n1 slots=many", None),
    ],
)
def test_a_host_file_says_slots_in_the_words_of_several_launchers(line, n_slots):
    assert host_file(f"// a list\n\n{line}\n") == [Host("n1", n_slots)]


# Environments of allocations, with the variables of each batch system.
SLURM = {"SLURM_JOB_NODELIST": "n[001-003],gpu1", "SLURM_TASKS_PER_NODE": "2(x3),1"}
SLURM_HOSTS = [("n001", 2), ("n002", 2), ("n003", 2), ("gpu1", 1)]


def that_read(reader):
    """The launchers that find their hosts with this reader."""
    known = [*LAUNCHERS.values(), TWO_FAMILIES]
    return pytest.mark.parametrize(
        "launcher", [row for row in known if reader in row.allocations], ids=lambda row: row.name
    )


@that_read(slurm)
def test_slurms_allocation_gives_hosts_and_slots(launcher):
    assert hosts(launcher, "", SLURM) == (SLURM_HOSTS, "allocation")


def test_srun_counts_nodes_of_its_allocation_or_names_some_of_them():
    srun = LAUNCHERS["srun"]
    assert hosts(srun, "-N 2 -n 4", SLURM) == (SLURM_HOSTS[:2], "allocation")
    assert hosts(srun, "--nodes=8", SLURM) == (SLURM_HOSTS, "allocation")
    assert hosts(srun, "-w n[002,001]", SLURM) == ([("n002", None), ("n001", None)], "command")
    with pytest.raises(InputError, match="'1-4' is no number of nodes; expected one such as 4"):
        hosts(srun, "-N 1-4", SLURM)


@pytest.mark.parametrize("options", ["-n 4", "-N 2 -n 4", "-w n[1-2]"])
def test_srun_outside_an_allocation_is_refused_with_the_next_step(options):
    with pytest.raises(InputError, match="start corewise inside an allocation, as in `salloc"):
        hosts(LAUNCHERS["srun"], options)


@that_read(pbs)
def test_the_node_file_of_pbs_gives_hosts_and_slots(tmp_path, launcher):
    file = tmp_path / "nodes"
    file.write_text("n1\nn1\nn2.site\n")
    assert hosts(launcher, "", {"PBS_NODEFILE": str(file)})[0] == [("n1", 2), ("n2.site", None)]


@that_read(lsf)
def test_lsfs_hosts_and_slots_are_one_variable(launcher):
    assert hosts(launcher, "", {"LSB_MCPU_HOSTS": "n1 4 n2 2 "})[0] == [("n1", 4), ("n2", 2)]


@that_read(grid_engine)
def test_grid_engines_host_file_gives_hosts_and_slots(tmp_path, launcher):
    file = tmp_path / "pe_hostfile"
    file.write_text("n1.site 4 all.q@n1.site UNDEFINED\nn2.site 2 all.q@n2.site <NULL>\n")
    assert hosts(launcher, "", {"PE_HOSTFILE": str(file)})[0] == [("n1.site", 4), ("n2.site", 2)]
    file.write_text("n1\n")
    with pytest.raises(InputError, match="PE_HOSTFILE .*found 'n1'; expected a host and its slots, as in"):
        hosts(launcher, "", {"PE_HOSTFILE": str(file)})


@that_read(cobalt)
def test_the_node_file_of_cobalt_is_a_host_file(tmp_path, launcher):
    file = tmp_path / "nodes"
    file.write_text("n1\nn2:2\n")
    assert hosts(launcher, "", {"COBALT_NODEFILE": str(file)})[0] == [("n1", None), ("n2", 2)]


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("openmpi4", "--mca orte_default_hostfile FILE"),
        ("openmpi5", "--prtemca prte_default_hostfile FILE"),
        ("openmpi5", "--prtemca=prte_default_hostfile FILE"),
    ],
)
def test_a_parameter_may_name_the_host_file(tmp_path, name, options):
    file = tmp_path / "hosts"
    file.write_text("n1 slots=2\nn2\n")
    found = hosts(LAUNCHERS[name], options.replace("FILE", str(file)))
    assert found == ([("n1", 2), ("n2", None)], "command")


def test_a_flux_instance_is_asked_for_its_hosts(tmp_path, monkeypatch):
    flux = tmp_path / "flux"
    flux.write_text('#!/bin/sh\n[ "$*" = "getattr hostlist" ] && echo "c[1-2]-ib,c7"\n')
    flux.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    expected = [("c1-ib", None), ("c2-ib", None), ("c7", None)]
    assert hosts(TWO_FAMILIES, "", {"FLUX_URI": "local:///run/flux/local"}) == (expected, "allocation")
    assert hosts(TWO_FAMILIES, "", {}) == ([("localhost", None)], "nowhere")
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(MissingError, match="`flux getattr hostlist` did not answer"):
        hosts(TWO_FAMILIES, "", {"FLUX_URI": "local:///run/flux/local"})


def test_the_launchers_own_variable_for_a_host_file_stands_where_the_launcher_looks_for_it(tmp_path):
    file = tmp_path / "hosts"
    file.write_text("n7:4\n")
    own = {"HYDRA_HOST_FILE": str(file), "OMPI_MCA_orte_default_hostfile": str(file)}
    assert hosts(LAUNCHERS["hydra"], "", own | SLURM)[0] == [("n7", 4)]
    assert hosts(LAUNCHERS["openmpi4"], "", own | SLURM)[0] == SLURM_HOSTS
    assert hosts(LAUNCHERS["openmpi4"], "", own)[0] == [("n7", 4)]


def test_the_counts_of_a_step_do_not_count_the_nodes_of_its_job():
    inside_a_step = SLURM | {"SLURM_TASKS_PER_NODE": "1"}
    assert hosts(TWO_FAMILIES, "", inside_a_step)[0] == [(name, None) for name, _ in SLURM_HOSTS]


@pytest.mark.parametrize(
    ("environment", "sentence"),
    [
        ({"SLURM_JOB_NODELIST": "n[3-1]"}, r"SLURM_JOB_NODELIST: 'n\[3-1\]' is no node list"),
        (SLURM | {"SLURM_TASKS_PER_NODE": "2(x3"}, r"SLURM_TASKS_PER_NODE is '2\(x3'; expected counts"),
        ({"LSB_MCPU_HOSTS": "n1 4 n2"}, "LSB_MCPU_HOSTS: 'n1 4 n2' is no list of hosts"),
        ({"LSB_MCPU_HOSTS": "n1 four"}, "LSB_MCPU_HOSTS: 'n1 four' is no list of hosts"),
        ({"LSB_MCPU_HOSTS": "-oProxy 4"}, "LSB_MCPU_HOSTS: '-oProxy' is no host name"),
        (
            {"PBS_NODEFILE": "/nowhere/nodes"},
            "could not be read .* a host file, as 'PBS_NODEFILE /nowhere/nodes'",
        ),
        ({"PBS_NODEFILE": "/"}, "/: is a directory; expected a host file, as 'PBS_NODEFILE /' names one"),
    ],
)
def test_an_environment_that_says_no_hosts_is_refused_with_its_variable(environment, sentence):
    with pytest.raises(InputError, match=sentence):
        hosts(LAUNCHERS["openmpi4"], "", environment)


@pytest.mark.parametrize(
    ("options", "text", "sentence"),
    [
        ("-H n1,,n2", "", "-H n1,,n2: '' is no host name"),
        ("-H user@n1", "", "-H user@n1: 'user@n1' is no host name.*belongs in ssh's configuration"),
        ("-H +n0", "", "-H .n0: '.n0' is no host name, and corewise doesn't count those"),
        ("-H ::1", "", "'::1' is no host"),
        ("-H n1:x", "", "'n1:x' is no host; expected a name, or a name and its slots"),
        ("-H n1 --hostfile FILE", "n1\n", "'-H n1' and '--hostfile .*' both name hosts"),
        ("--hostfile FILE", "# none\n", "--hostfile .*names no host"),
        ("--hostfile FILE", "n1\nfe80::1 slots=2\n", "line 2: 'fe80::1' is no host"),
        ("--hostfile FILE", "n1\n\x00\n", r"line 2: '\\x00' is no host name"),
    ],
)
def test_hosts_that_a_launcher_would_not_take_are_refused_as_they_were_typed(
    tmp_path, options, text, sentence
):
    file = tmp_path / "hosts"
    file.write_text(text)
    with pytest.raises(InputError, match=sentence):
        hosts(LAUNCHERS["openmpi4"], options.replace("FILE", str(file)))


def test_a_host_file_that_is_not_there_or_no_text_is_refused(tmp_path):
    with pytest.raises(InputError, match="could not be read"):
        hosts(LAUNCHERS["openmpi4"], f"--hostfile {tmp_path / 'x'}")
    (tmp_path / "binary").write_bytes(b"\xff\xfe")
    with pytest.raises(InputError, match="not a text file"):
        hosts(LAUNCHERS["openmpi4"], f"--hostfile {tmp_path / 'binary'}")
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(InputError, match="is a device, FIFO or socket; expected a host file"):
        hosts(LAUNCHERS["openmpi4"], f"--hostfile {tmp_path / 'pipe'}")


def test_hydras_settings_of_a_host_are_refused_rather_than_lost(tmp_path):
    (tmp_path / "hosts").write_text("n1:2\nn2:2 binding=user:0,1\n")
    with pytest.raises(
        InputError, match="line 2: found 'n2:2 binding=user:0,1'; corewise writes host names alone"
    ):
        hosts(LAUNCHERS["hydra"], f"-f {tmp_path / 'hosts'}")
    with pytest.raises(InputError, match="line 1: found 'me@n1:2'"):
        LAUNCHERS["hydra"].read_host_file("me@n1:2\n")
    assert LAUNCHERS["hydra"].read_host_file("n1:2 # binding=none\n") == [Host("n1", 2)]


def test_names_of_nodes_are_each_another():
    assert distinct_names("n1, n2") == ["n1", "n2"]
    assert distinct_names("n[08-10,3],login1") == ["n08", "n09", "n10", "n3", "login1"]
    with pytest.raises(InputError, match="host 'n1' appears twice"):
        distinct_names("n1,n2,n1")


# as `scontrol show hostnames` of Slurm 22.05 prints them
NODE_LISTS = {
    "n[001-004,7],gpu1": "n001 n002 n003 n004 n7 gpu1",
    "r[0-1]n[0-2]": "r0n0 r0n1 r0n2 r1n0 r1n1 r1n2",
    "n[9-11]": "n9 n10 n11",
    "n[09-011]": "n09 n10 n11",
    "n[1-2][3-4]": "n13 n14 n23 n24",
    "n[1]": "n1",
    "n1,n1": "n1 n1",
    "n[1-2]m[003,001]": "n1m003 n1m001 n2m003 n2m001",
    "n[0-1]a[0-1]b[0-1]": "n0a0b0 n0a0b1 n1a0b0 n1a0b1 n0a1b0 n0a1b1 n1a1b0 n1a1b1",
}


@pytest.mark.parametrize("text", NODE_LISTS)
def test_a_node_list_expands_as_slurm_expands_it(text):
    assert expand_node_list(text) == NODE_LISTS[text].split()


@pytest.mark.parametrize(
    "text",
    ["", ",n", "n[", "n]", "n[]", "n[1", "n1]", "n[2-1]", "n[1--3]", "n[1-2,]", "n[a-b]", "a b", "n[[1]]"],
)
def test_what_is_no_node_list_is_refused(text):
    with pytest.raises(InputError, match="is no node list"):
        expand_node_list(text)


@pytest.mark.parametrize("text", ["n[1-999999999]", "n[0-999]m[0-999]", "n[0-65535],n", "n[1-65536,1-65536]"])
def test_a_node_list_of_too_many_nodes_is_refused_before_it_is_expanded(text):
    assert len(expand_node_list("n[0-65535]")) == MOST_NODES
    with pytest.raises(InputError, match="no node list of at most 65536 nodes"):
        expand_node_list(text)
