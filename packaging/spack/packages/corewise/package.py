"""Spack recipe of corewise, the command and the Python package. Not built here."""

# ruff: noqa: F403, F405  (every Spack recipe imports all names)
from pathlib import Path

from spack.package import *
from spack_repo.builtin.build_systems.python import PythonPackage


class Corewise(PythonPackage):
    """Does it matter which core each MPI rank runs on, which placement is best, and did it help?"""

    git = Path(__file__).resolve().parents[4].as_uri()  # the clone that this recipe lies in

    license("BSD-3-Clause")

    version("0.1.0", branch="main")

    variant("mpi", default=True, description="Build the preload libraries and MPI programs")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("cmake@3.22:", type="build")
    depends_on("ninja", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("hwloc@2.1:")
    depends_on("mpi", when="+mpi")

    depends_on("python@3.10:", type=("build", "run"))
    depends_on("py-scikit-build-core+pyproject@0.10:", type="build")
    depends_on("py-nanobind@2.5:", type="build")
    depends_on("py-typing-extensions", type="build", when="^python@:3.10")
    depends_on("py-click@8.1:", type=("build", "run"))
    # In July 2026 Spack's packages had no py-msgspec yet; pull request 4119 of spack-packages adds it.
    depends_on("py-msgspec@0.19:", type=("build", "run"))
    depends_on("py-tomli@2:", type=("build", "run"), when="^python@:3.10")
    depends_on("py-jinja2@3.1:", type="run")
    depends_on("py-matplotlib@3.6:", type="run")
    depends_on("py-numpy@1.24:", type="run")
    depends_on("py-pyyaml@6:", type="run")
    depends_on("py-rich@13:", type="run")
    depends_on("py-scipy@1.10:", type="run")

    conflicts("platform=darwin")
    conflicts("platform=windows")

    def setup_build_environment(self, env):
        args = [f"-DCW_MPI={'ON' if self.spec.satisfies('+mpi') else 'OFF'}"]
        if self.spec.satisfies("+mpi"):  # all names that CMake tries, so that it finds no MPI of the system
            names = ["CW_MPICC.openmpi", "CW_MPICC.mpich", "CW_MPICC"]
            args += [f"-D{name}={self.spec['mpi'].mpicc}" for name in names]
        env.set("CMAKE_ARGS", " ".join(args))  # scikit-build-core reads it

    def test_version(self):
        """The command starts and prints its version."""
        out = Executable(self.prefix.bin.corewise)("--version", output=str.split, error=str.split)
        check_outputs([str(self.version)], out)
