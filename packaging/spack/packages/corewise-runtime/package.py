"""Spack recipe of corewise's preload libraries, binder and node program. Not built here."""

# ruff: noqa: F403, F405  (every Spack recipe imports all names)
import os
from pathlib import Path

from spack.package import *
from spack_repo.builtin.build_systems.cmake import CMakePackage


class CorewiseRuntime(CMakePackage):
    """What corewise runs in jobs, without Python: the preload library that records communication, the binder,
    and the program that writes a node's topology. One installation per MPI, next to one corewise."""

    git = Path(__file__).resolve().parents[4].as_uri()  # the clone that this recipe lies in
    test_requires_compiler = True

    license("BSD-3-Clause")

    version("0.1.0", branch="main")

    variant("mpi", default=True, description="Build the preload libraries")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("cmake@3.22:", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("python@3.10:", type="build")
    depends_on("py-tomli@2:", type="build", when="^python@:3.10")
    depends_on("hwloc@2.1:")
    depends_on("mpi", when="+mpi")

    conflicts("platform=darwin")
    conflicts("platform=windows")

    @property
    def build_targets(self):
        programs = ["corewise-bind", "corewise-mask", "corewise-topology"]
        return [*programs, "preload-libraries"] if self.spec.satisfies("+mpi") else programs

    def cmake_args(self):
        args = [self.define_from_variant("CW_MPI", "mpi")]
        if self.spec.satisfies("+mpi"):  # all names that CMake tries, so that it finds no MPI of the system
            names = ["CW_MPICC.openmpi", "CW_MPICC.mpich", "CW_MPICC"]
            args += [self.define(name, self.spec["mpi"].mpicc) for name in names]
        return args

    def install(self, spec, prefix):
        options = ["--component", "runtime", "--prefix", prefix.lib]
        cmake("--install", self.build_directory, *options)

    @property
    def native(self):
        """The folder of the programs and libraries."""
        return self.prefix.lib.corewise.native

    def setup_run_environment(self, env):
        env.prepend_path("PATH", self.native)

    def test_preload(self):
        """An MPI program with the library preloaded runs and leaves a record."""
        if self.spec.satisfies("~mpi"):
            raise SkipTest("without MPI there is no preload library")
        source = join_path(self.test_suite.current_test_data_dir, "message.c")
        Executable(self.spec["mpi"].mpicc)(source, "-o", "message")
        openmpi = self.spec.satisfies("^[virtuals=mpi] openmpi")
        library = join_path(self.native, f"libcorewise_pmpi_{'openmpi' if openmpi else 'mpich'}.so")
        mkdirp("record")
        job = {
            "LD_PRELOAD": library,
            "COREWISE_DIR": join_path(os.getcwd(), "record"),
            "COREWISE_JOB": "test",
        }
        out = Executable("./message")(output=str.split, error=str.split, extra_env=job)
        check_outputs(["received 42"], out)
        assert find("record", "*.cwprof"), "the program ran, but the preload library wrote no record"
