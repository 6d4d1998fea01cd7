"""The mapping benchmark: hop-bytes and CPU seconds of `corewise map` and of other mapping programs.

usage: .venv/bin/python laboratory/benchmarks/mapping/run.py [--sizes small medium]
           [--families grid3d rgg] [--seeds 3] [--without strong] [-o build/mapping-benchmark]

Runs one mapper after the other on each instance and seed, so that the load of the machine affects all alike.
Checks that every placement gives each core exactly one rank, and computes its hop-bytes. Writes samples.jsonl
(each run), and prints tables.
"""

from __future__ import annotations

import argparse
import json
import subprocess
from pathlib import Path

import numpy as np
import report
from families import FAMILIES, TREES, Instance, hop_bytes, instances, write_metis
from mappers import Mapper, all_mappers


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sizes", nargs="+", choices=list(TREES), default=["small", "medium"])
    parser.add_argument("--families", nargs="+", choices=list(FAMILIES), default=list(FAMILIES))
    parser.add_argument("--seeds", type=int, default=3, help="seeds 0, 1, ... of each mapper")
    parser.add_argument(
        "--without", nargs="+", default=[], help="leave out mappers with these words in their name"
    )
    parser.add_argument("-o", "--output", type=Path, default=Path("build/mapping-benchmark"))
    asked = parser.parse_args()

    asked.output.mkdir(parents=True, exist_ok=True)
    mappers = all_mappers(asked.output, asked.without)
    for mapper in mappers:
        if mapper.missing:
            print(f"{mapper.name}: {mapper.missing}")
    usable = [mapper for mapper in mappers if not mapper.missing]
    chosen = [i for size in asked.sizes for i in instances(size) if i.family in asked.families]
    samples = measure(usable, chosen, range(asked.seeds), asked.output)
    report.print_tables(samples)


def measure(mappers: list[Mapper], chosen: list[Instance], seeds: range, output: Path) -> list[dict]:
    """Runs every mapper on every instance and seed; writes each sample at once."""
    samples = []
    with (output / "samples.jsonl").open("w") as log:
        for instance in chosen:
            edges = instance.edges()
            graph = output / f"{instance.name}.graph"
            write_metis(graph, instance.n_ranks, edges)
            for seed in seeds:
                for mapper in mappers:
                    if mapper.where_shared and instance.ranks_per_core == 1:
                        continue
                    sample = one_sample(mapper, instance, graph, edges, seed)
                    samples.append(sample)
                    log.write(json.dumps(sample) + "\n")
                    log.flush()
            graph.unlink()
    return samples


def one_sample(mapper: Mapper, instance: Instance, graph: Path, edges: np.ndarray, seed: int) -> dict:
    """The value and CPU time of a run.

    Both are null, with the reason, if it failed or its placement is invalid.
    """
    sample = {
        "instance": instance.name,
        "mapper": mapper.name,
        "seed": seed,
        "hop_bytes": None,
        "cpu_s": None,
        "bound": None,
    }
    try:
        mapped = mapper.run(graph, instance, seed)
    except (subprocess.CalledProcessError, subprocess.TimeoutExpired) as error:
        return {**sample, "fault": str(error)}
    ranks_on_core = np.bincount(mapped.leaf_of_rank, minlength=instance.n_cores)
    if not np.array_equal(ranks_on_core, np.full(instance.n_cores, instance.ranks_per_core)):
        return {**sample, "fault": "invalid: not as many ranks on each core as belong there"}
    value = hop_bytes(edges, instance, mapped.leaf_of_rank)
    return {**sample, "hop_bytes": value, "cpu_s": mapped.cpu_s, "bound": mapped.bound}


if __name__ == "__main__":
    main()
