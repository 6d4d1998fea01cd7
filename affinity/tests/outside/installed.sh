#!/usr/bin/env bash
# Installs the affinity library into a new prefix, builds an outside project by find_package and by pkg-config, runs both.
#
# installed.sh BUILD SOURCE SANITIZERS; SANITIZERS as -fsanitize takes them, or empty.
set -euo pipefail
build=$1 source=$2 sanitizers=${3:-}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
prefix=$work/prefix
flags=${sanitizers:+-fsanitize=$sanitizers}

cmake --install "$build" --component affinity --prefix "$prefix" >/dev/null
mv "$prefix" "$work/moved" # an installed tree may be moved
prefix=$work/moved

cmake -S "$source" -B "$work/by-cmake" -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_C_FLAGS="$flags" >/dev/null
cmake --build "$work/by-cmake" >/dev/null
"$work/by-cmake/outside" >"$work/by-cmake.txt"

PKG_CONFIG_PATH=$(dirname "$(find "$prefix" -name corewise-affinity.pc)")
export PKG_CONFIG_PATH
# shellcheck disable=SC2046,SC2086  # words are meant
c++ -x c++ $flags "$source/main.c" -o "$work/by-pkg-config" \
  $(pkg-config --cflags --libs corewise-affinity) -Wl,-rpath,"$(pkg-config --variable=libdir corewise-affinity)"
"$work/by-pkg-config" >"$work/by-pkg-config.txt"

cmp "$work/by-cmake.txt" "$work/by-pkg-config.txt"
grep -q '^threads  4: worker 2 (by default), helper 1 (by default), comm_server 1 (by default)$' "$work/by-cmake.txt"

library=$(find "$prefix" -name 'libcorewise-affinity.so.1')
foreign=$(nm -D --defined-only "$library" | awk '{print $3}' | grep -v '^cw_' | grep -vE '^(__|_fini|_init|_edata|_end)' || true)
[ -z "$foreign" ] || { echo "exported without the prefix cw_: $foreign"; exit 1; }
declared=$(grep -oE 'cw_[a-z_]+\(' "$source/../../include/corewise/affinity.h" | tr -d '(' | sort -u | grep -v _options_init)
exported=$(nm -D --defined-only "$library" | awk '{print $3}' | grep '^cw_' | sort -u)
diff <(echo "$declared") <(echo "$exported")
