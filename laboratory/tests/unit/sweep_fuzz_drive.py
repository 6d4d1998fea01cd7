"""The fuzzing program (tests/unit/fuzz_drive.py) with one more format: specifications of sweeps."""

import fuzz_drive
from fuzz_cases import FORMATS, Format
from sources import ROOT
from sweep_cases import SPEC

FORMATS["sweep"] = Format(
    "s.toml",
    ["sweep", "FILE", "--dry-run", "--json"],
    lambda: [SPEC.encode(), *(path.read_bytes() for path in sorted(ROOT.glob("examples/*.toml")))],
)

if __name__ == "__main__":
    fuzz_drive.start()
