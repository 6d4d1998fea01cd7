#!/usr/bin/env bash
# Installs the runtime into a new prefix, builds its example outside the repository with find_package and with pkg-config, for
# each transport, and runs the programs.
#
# installed.sh BUILD SOURCE EXAMPLE SANITIZERS TRANSPORT...; SANITIZERS: a value of -fsanitize, or empty.
set -euo pipefail
build=$1 source=$2 example=$3 sanitizers=$4
shift 4
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
flags=${sanitizers:+-fsanitize=$sanitizers}

for component in affinity pgas; do
  cmake --install "$build" --component "$component" --prefix "$work/prefix" >/dev/null
done
prefix=$work/moved # an installed tree may be moved
mv "$work/prefix" "$prefix"

cp -r "$source" "$work/source"
cp "$example" "$work/source"
cmake -S "$work/source" -B "$work/by-cmake" -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_CXX_FLAGS="$flags" \
  -DTRANSPORTS="$(IFS=';'; echo "$*")" >/dev/null
cmake --build "$work/by-cmake" >/dev/null

PKG_CONFIG_PATH=$(dirname "$(find "$prefix" -name corewise-affinity.pc)")
export PKG_CONFIG_PATH OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
for transport; do
  package=corewise-pgas-$transport
  # shellcheck disable=SC2046,SC2086  # words are meant
  c++ -std=c++20 $flags "$work/source/${example##*/}" -o "$work/by-pkg-config" \
    $(pkg-config --cflags --libs "$package") -Wl,-rpath,"$(pkg-config --variable=libdir "$package")"
  for program in "$work/by-cmake/histogram-$transport" "$work/by-pkg-config"; do
    launcher=()
    if [ "$transport" != loopback ]; then
      launcher=("$(command -v "mpirun.$transport" mpirun | head -n 1)" -n 2)
    fi
    printed=$("${launcher[@]}" timeout 60 "$program")
    [ "$(wc -l <<<"$printed")" = 10 ] && grep -q '^6: 200000$' <<<"$printed" ||
      { echo "$program over $transport printed: $printed"; exit 1; }
  done
done
