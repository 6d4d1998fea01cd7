"""What reading a profile of many ranks costs: CPU seconds and memory, from its files to a matrix and phases.

    laboratory/benchmarks/commands/large_profile.py [N_RANKS] [N_NODES] [N_WINDOWS]      default: 4096 64 32

The profile is synthetic: each rank has rows for six neighbours of a 3D torus in four size classes and for
three calls without messages, and windows of a second. Reading happens in a separate process, of which the
greatest resident memory is reported, next to that of a process that only imports corewise.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[2] / "tests" / "unit"))

from profile_cases import CALL, TO_PEER, ProfileFile  # noqa: E402

READS = {
    "import corewise": "",
    "read, one matrix": "profile = read_profile(Path(sys.argv[1])); profile.size_class_matrix(Layer.p2p, 11)",
    "show's input: phases, large messages": "read_input(sys.argv[1])",
}
SCRIPT = """
import resource, sys, time
from pathlib import Path
from corewise.model import Layer
from corewise.profile.inputs import read_input
from corewise.profile.reading import read_profile
begin = time.process_time()
{}
print(time.process_time() - begin, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""
SIZES = (8, 1024, 10**5, 10**6)


def neighbours(rank: int, n_ranks: int) -> list[int]:
    """Six ranks: one, a row and a plane away, both ways."""
    side = max(2, round(n_ranks ** (1 / 3)))
    return [(rank + step) % n_ranks for step in (1, -1, side, -side, side * side, -side * side)]


def write_profile(folder: Path, n_ranks: int, n_nodes: int, n_windows: int) -> int:
    """A file for each node, ranks in blocks; returns the bytes written."""
    n_bytes = 0
    for node in range(n_nodes):
        file = ProfileFile(n_ranks, host=f"node{node:04}")
        for rank in range(node * n_ranks // n_nodes, (node + 1) * n_ranks // n_nodes):
            rows = [
                ("MPI_Send", peer, CALL | TO_PEER, 0, 10 * n_windows, size)
                for peer in neighbours(rank, n_ranks)
                for size in SIZES
            ]
            rows += [(call, -1, CALL, 0, n_windows, 0) for call in ("MPI_Recv", "MPI_Irecv", "MPI_Wait")]
            numbers = []
            for window in range(n_windows):
                numbers += [min(window, 1), 2, len(rows)]
                for i, (_, _, _, _, _, size) in enumerate(rows):
                    count = 10 if size else 1
                    numbers += [min(i, 1), count, count * size, 5]
            file.rank(rank, seconds=n_windows).rows(rank, rows, last_second=n_windows)
            file.windows(rank, *numbers)
        file.write(folder)
        n_bytes += (folder / f"{file.host}.cwprof").stat().st_size
    return n_bytes


def main() -> None:
    n_ranks, n_nodes, n_windows = [*map(int, sys.argv[1:]), *(4096, 64, 32)[len(sys.argv) - 1 :]]
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "profile"
        n_bytes = write_profile(folder, n_ranks, n_nodes, n_windows)
        print(f"{n_ranks} ranks, {n_nodes} nodes, {n_windows} windows: {n_bytes / 1e6:.0f} MB of files")
        for name, statement in READS.items():
            command = [sys.executable, "-c", SCRIPT.format(statement or "pass"), str(folder)]
            ended = subprocess.run(command, capture_output=True, text=True, check=True)
            cpu_s, most_kib = ended.stdout.split()
            print(f"{name:40} {float(cpu_s):6.2f} s CPU   {int(most_kib) * 1024 / 1e6:6.0f} MB at most")
    print(f"(written with {resource.getrusage(resource.RUSAGE_SELF).ru_utime:.0f} s CPU)")


if __name__ == "__main__":
    main()
