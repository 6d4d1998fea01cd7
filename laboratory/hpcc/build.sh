# Sourced by what builds a benchmark of hpcc (laboratory/hpl/build, laboratory/ptrans/build): gets the source of Debian's hpcc (0.7 MB by
# apt; no entry deb-src is needed) and keeps what is compiled from it. Exit code 3: it cannot be had here, with the reason.
# shellcheck shell=bash

cache=${CW_LAB_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/corewise/lab}

die() {
  echo "$program: $1" >&2
  exit 3
}

# apt with a separate list of sources, made from the system's: only root may change that one.
fetch_source() {
  local own=$work/apt
  mkdir -p "$own/lists/partial" "$own/cache/archives/partial"
  # shellcheck disable=SC2016  # apt's variables
  apt-get indextargets --format 'deb-src $(REPO_URI) $(RELEASE) $(COMPONENT)' 'Identifier: Packages' |
    sort -u >"$own/hpcc.list"
  [ -s "$own/hpcc.list" ] || die "apt has no index of packages here: run  apt-get update"
  local options=(-q -o APT::Sandbox::User= -o Dir::Etc::SourceList="$own/hpcc.list" -o Dir::Etc::SourceParts=/dev/null
    -o Dir::State::Lists="$own/lists" -o Dir::Cache="$own/cache")
  apt-get "${options[@]}" update >"$work/log" 2>&1 && (cd "$work" && apt-get "${options[@]}" --tar-only source hpcc) \
    >>"$work/log" 2>&1 || die "hpcc's source could not be downloaded: $(tail -n 1 "$work/log")"
  mkdir "$work/hpcc"
  tar -xf "$work"/hpcc_*.orig.tar.* --strip-components 1 -C "$work/hpcc"
}

# compile ARGUMENT...: the program, with Open MPI and OpenBLAS. hpcc's HPL packs panels with a call that MPI 3 no longer has,
# unless told to copy them.
compile() {
  local flags=(-O2 -w -DAdd_ -DF77_INTEGER=int -DStringSunStyle -DHPL_CALL_CBLAS -DHPL_NO_MPI_DATATYPE -DHPL_COPY_L)
  mpicc.openmpi "${flags[@]}" -I"$work/hpcc/include" -I"$work/hpcc/hpl/include" "$@" -o "$work/$program" -lopenblas -lm \
    >"$work/log" 2>&1 || die "it could not be compiled: $(grep -m 1 -E 'error|cannot find|undefined' "$work/log")"
}

# build PROGRAM: makes it by the caller's function compile_program in CW_LAB_CACHE (default ~/.cache/corewise/lab), unless
# it is there, and prints its path.
build() {
  program=$1
  if [ ! -x "$cache/$program" ]; then
    for tool in apt-get mpicc.openmpi; do
      command -v "$tool" >/dev/null || die "$tool was not found; expected Debian with libopenmpi-dev and libopenblas-dev"
    done
    # Built next to its final place and then renamed: what is there is whole, also when two of these run at once.
    mkdir -p "$cache"
    work=$(mktemp -d "$cache/$program.XXXXXX")
    trap 'rm -rf "$work"' EXIT
    fetch_source
    compile_program
    mv "$work/$program" "$cache/$program"
  fi
  echo "$cache/$program"
}
