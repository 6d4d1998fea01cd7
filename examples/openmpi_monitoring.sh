#!/usr/bin/env bash
# A matrix without our tracer: Open MPI's own monitoring writes it, corewise shows it.
set -euo pipefail
command -v mpirun.openmpi >/dev/null || { echo "mpirun.openmpi was not found; install openmpi-bin" >&2; exit 3; }

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
as_root=()
[ "$(id -u)" = 0 ] && as_root=(--allow-run-as-root)

mpirun.openmpi --oversubscribe "${as_root[@]}" -n 4 --mca pml_monitoring_enable 2 \
  --mca pml_monitoring_enable_output 3 --mca pml_monitoring_filename "$folder/job" \
  "$(python3 -c 'from corewise_laboratory.native import native; print(native("microbench-openmpi/ring"))')" \
  --sizes 1024 --repeats 1 --warmup 1
corewise show "$folder/job"
