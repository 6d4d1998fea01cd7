"""Open MPI 4 for a machine on which it isn't installed: launcher, plug-ins, and settings to find them."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

# plug-ins for networks and parallel files: not needed, and they load many libraries
_NOT_NEEDED = ("fbtl", "fcoll", "fs_", "io_", "ofi", "openib", "psm", "ucx", "usnic", "verbs")

# Open MPI searches for plug-ins in one folder each. Root needs permission and a name, the host an address.
PREPARE = """
mkdir -p /etc orte pmix && mv mca_*.so orte && mv pmix_mca_*.so pmix
echo root:x:0:0:root:/tmp:/bin/sh >/etc/passwd
echo 127.0.0.1 localhost numa-vm >/etc/hosts
cat >openmpi.env <<END
export OMPI_MCA_mca_base_component_path=/lab/orte PMIX_MCA_mca_base_component_path=/lab/pmix
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_plm_rsh_agent=sh
END
"""


def openmpi_parts() -> list[Path]:
    """orterun and the plug-ins of Open MPI 4 and PMIx. Skips the test if they aren't in Debian's folders."""
    if shutil.which("ompi_info") is None or shutil.which("orterun") is None:
        pytest.skip("Open MPI 4 is not installed (ompi_info, orterun)")
    asked = ["ompi_info", "--parsable", "--path", "pkglibdir"]
    told = subprocess.run(asked, capture_output=True, text=True, timeout=60, check=True).stdout
    plugins = Path(told.strip().rpartition(":")[2])
    pmix = plugins.parents[2] / "pmix2" / "lib" / "pmix"
    found = [*plugins.glob("mca_*.so"), *pmix.glob("pmix_mca_*.so")]
    if not any(path.name == "mca_rmaps_rank_file.so" for path in found) or not pmix.is_dir():
        pytest.skip(f"Open MPI 4's or PMIx's plug-ins are not in {plugins} and {pmix}")
    needed = [path for path in found if not any(part in path.name for part in _NOT_NEEDED)]
    return [Path(shutil.which("orterun")), *needed]
