"""Reads cores from commands and parameters of Open MPI 4 and 5: PE=2, --cpu-list, rankfiles."""

from __future__ import annotations

import re
from collections.abc import Mapping

from corewise.launchers.binding import Binding, CoreCount, CoreList
from corewise.launchers.command import Command, Option
from corewise.text.quantities import indices_of


def cores_asked(
    command: Command, program: int, environment: Mapping[str, str], parameters: Mapping[str, str]
) -> CoreCount | None:
    """The number of cores for each rank, by an option before the program or an MCA parameter."""
    for option in reversed(command.programs[program].options):
        if count := _of_option(option):
            return count
    counts = (_of_parameter(name, value, f"{name} = {value}") for name, value in parameters.items())
    return next(filter(None, counts), None)


def _of_option(option: Option) -> CoreCount | None:
    typed, value = option.text, option.values[-1] if option.values else ""
    if option.name in ("cpus-per-proc", "cpus-per-rank"):
        return CoreCount.of(typed, value)
    if option.name in ("map-by", "mapby"):
        return _of_parameter("mapping_policy", value, typed)
    return _of_parameter(option.values[0], value, typed) if len(option.values) == 2 else None


def _of_parameter(name: str, value: str, typed: str) -> CoreCount | None:
    if name.endswith(("cpus_per_rank", "cpus_per_proc")):
        return CoreCount.of(typed, value)
    match = re.search(r"(?i)\bpe=(\d{1,5})\b", value) if name.endswith("mapping_policy") else None
    return match and CoreCount(typed, int(match[1]), of_threads="hwtcpus" in value.lower())


def core_lists(command: Command, environment: Mapping[str, str]) -> list[CoreList]:
    """The cores (logical) of --cpu-list or --cpu-set; one per rank with `--bind-to cpu-list:ordered`."""
    ordered = any("cpu-list:ordered" in value.lower() for (value,) in command.values({"bind-to"}))
    return [
        CoreList(
            option.text,
            [indices_of(part) for part in option.values[0].split(",")],
            counts_ranks=ordered,
            of_threads=False,
            program=number,
        )
        for number, program in enumerate(command.programs)
        for option in program.options
        if option.name in ("cpu-set", "cpu-list") and re.fullmatch(r"\d+([,-]\d+)*", option.values[0])
    ]


def rankfile_of(command: Command) -> str | None:
    """The path of the command's rankfile; None without one."""
    paths = [values[0] for values in command.values({"rf", "rankfile"})]
    for (value,) in command.values({"map-by", "mapby"}):
        if match := re.search(r"rankfile:(?:.*:)?file=([^:]+)", value, re.IGNORECASE):
            paths.append(match[1])
    return paths[-1] if paths else None


BINDING = Binding(
    own_cores="--map-by slot:PE={n} --bind-to core",
    read_cores=cores_asked,
    core_lists=core_lists,
    rankfile_of=rankfile_of,
)
