"""The lab without creating a cluster: rates, Slurm's configuration, and refusals."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner
from corewise.cli import cli
from corewise.clusters.folder import Record, end
from corewise.clusters.rates import parse_rate, token_bucket
from corewise.errors import InputError
from corewise.text.quantities import rate_bits_text
from corewise_laboratory.clusters import ClusterSpec
from corewise_laboratory.clusters.slurm import configuration, topology


@pytest.mark.parametrize(
    ("text", "bits_per_s"), [("100mbit", 100e6), ("1gbit", 1e9), ("1.5Gbit", 1.5e9), ("500kbit", 500e3)]
)
def test_rates_are_read_as_tc_writes_them(text, bits_per_s):
    assert parse_rate(text) == bits_per_s


@pytest.mark.parametrize("text", ["", "100", "fast", "-1mbit", "1e3mbit", "100 mb/s", "10kbit", "40gbit"])
def test_a_rate_that_is_none_or_cannot_be_kept_is_refused(text):
    with pytest.raises(InputError, match="is no rate|can't be emulated"):
        parse_rate(text)


def test_a_bucket_holds_two_packets_or_what_the_rate_gives_between_two_ticks():
    # 100 Mbit/s: 32 kbit. 1 Gbit/s * 256 us = 256 kbit = 32000 bytes.
    assert token_bucket("eth0", 100e6)[-3] == "4000b"
    assert token_bucket("eth0", 1e9)[-3] == "32000b"
    assert rate_bits_text(1.5e9) == "1.5 Gbit/s"


def test_slurm_has_two_switches_and_nodes_with_as_many_cpus_as_slots():
    spec = ClusterSpec(n_nodes=3, slots=8)
    text = configuration(Path("/lab"), spec)
    assert "NodeName=n2 NodeHostname=n2 NodeAddr=10.77.0.3 CPUs=8 Sockets=1 CoresPerSocket=8" in text
    assert "AuthInfo=socket=/lab/munge/socket" in text
    assert topology(spec) == (
        "SwitchName=s0 Nodes=n0,n2\nSwitchName=s1 Nodes=n1\nSwitchName=top Switches=s0,s1\n"
    )


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["up", "nets"], "the lab has no kind 'nets' (it has netns, numa-vm, slurm); did you mean 'netns'?"),
        (["up", "netns", "--nodes", "0"], "found 0 nodes; expected 1 to 250"),
        (["up", "netns", "--slots", "0"], "found 0 slots a node; expected 1 to 1000"),
        (["up", "netns", "--smt"], "netns has no option --smt; expected some of --nodes, --slots, --rate"),
        (["up", "numa-vm"], "numa-vm boots for each command; expected `corewise lab run numa-vm -- COMMAND`"),
        (["run", "numa-vm", "--rate", "1gbit", "--", "true"], "numa-vm has no option --rate"),
    ],
)
def test_what_no_cluster_can_be_is_refused(words, sentence):
    done = CliRunner().invoke(cli, ["lab", *words])
    assert isinstance(done.exception, InputError)
    assert sentence in str(done.exception)


@pytest.mark.parametrize(
    "words", [[], ["up"], ["run", "netns"], ["up", "netns", "--", "true"], ["down", "--nodes", "2"]]
)
def test_an_incomplete_command_is_a_usage_error(words):
    assert CliRunner().invoke(cli, ["lab", *words]).exit_code == 2


def test_options_before_the_action_work_and_show_their_new_place():
    done = CliRunner().invoke(cli, ["lab", "--nodes", "0", "up", "netns"], prog_name="corewise")
    assert str(done.exception) == "found 0 nodes; expected 1 to 250"
    assert "note: options follow the name of the command: `corewise lab up --nodes 0 ...`" in done.stderr


def test_a_wrong_action_gets_the_nearest():
    done = CliRunner().invoke(cli, ["lab", "upp", "netns"], prog_name="corewise")
    assert done.exit_code == 2 and "corewise lab has no command 'upp'; did you mean 'up'?" in done.stderr


def test_a_process_that_only_has_the_number_of_the_init_process_is_never_ended(tmp_path):
    # The record has the pid of this process, but another start time: the cluster's init process is gone.
    folder = tmp_path / "netns"
    folder.mkdir()
    record = Record.of_init_process("netns", ClusterSpec(), 1)
    other = Record(record.kind, record.spec, record.init_pid, record.init_start + 1)
    assert record.alive and not other.alive
    end(folder, other)
    assert record.alive and not folder.exists()


def test_a_record_is_read_as_it_was_written_and_half_a_record_is_none(tmp_path):
    record = Record("slurm", ClusterSpec(3, 2, 1e8), 123, 456)
    record.write(tmp_path)
    assert Record.read(tmp_path) == record
    path = tmp_path / "cluster.json"
    path.write_text(path.read_text()[:20])
    assert Record.read(tmp_path) is None
