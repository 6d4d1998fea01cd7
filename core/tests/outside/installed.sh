#!/usr/bin/env bash
# Installs the core into a new prefix, builds its example outside the repository by find_package and by pkg-config, runs
# both.
#
# installed.sh BUILD SOURCE EXAMPLE SANITIZERS; SANITIZERS as -fsanitize takes them, or empty.
set -euo pipefail
build=$1 source=$2 example=$3 sanitizers=${4:-}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
flags=${sanitizers:+-fsanitize=$sanitizers}

cmake --install "$build" --component core --prefix "$work/prefix" >/dev/null
prefix=$work/moved # an installed tree may be moved
mv "$work/prefix" "$prefix"

cp -r "$source" "$work/source"
cp "$example" "$work/source"
cmake -S "$work/source" -B "$work/by-cmake" -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_CXX_FLAGS="$flags" >/dev/null
cmake --build "$work/by-cmake" >/dev/null

PKG_CONFIG_PATH=$(dirname "$(find "$prefix" -name corewise-core.pc)")
export PKG_CONFIG_PATH
# shellcheck disable=SC2046,SC2086  # words are meant
c++ -std=c++20 $flags "$work/source/${example##*/}" -o "$work/by-pkg-config" $(pkg-config --cflags --libs corewise-core)

# Two of the eight edges are between nodes (1000 bytes at distance 10), six within a node (distance 1).
for program in "$work/by-cmake/map_ring" "$work/by-pkg-config"; do
  "$program" | grep -q '^hop-bytes 26000, proven optimal; cores of ranks 0 to 7:'
done
