#!/bin/bash
# Written by `corewise export --script slurm`: 16 ranks on 1 node of the machine perlmutter:2. Submit: sbatch THIS_FILE
#SBATCH --nodes=1
#SBATCH --ntasks-per-node=16
#SBATCH --exclusive
# FILL IN a time limit, and delete all of this line before "#SBATCH": #SBATCH --time=HH:MM:SS
set -u

app=()  # FILL IN the program and its arguments: app=(./app input)
launcher=(srun)  # options of your site go here, too
[ "${#app[@]}" -gt 0 ] || { echo 'Fill in the line app=(...) of this script.' >&2; exit 2; }

binder=/opt/corewise/corewise-bind  # every node must find it here

# Every node must see this folder. Node i of the placement is the i-th host of the allocation.
files=$(mktemp -d "$PWD/corewise_job_XXXXXX") || exit 1
mapfile -t node < <(scontrol show hostnames "$SLURM_JOB_NODELIST")

cat >"$files/hosts" <<END
${node[0]}
${node[0]}
${node[0]}
${node[0]}
${node[0]}
${node[0]}
${node[0]}
${node[0]}
${node[0]}
${node[0]}
${node[0]}
${node[0]}
${node[0]}
${node[0]}
${node[0]}
${node[0]}
END

cat >"$files/bind.txt" <<'END'
corewise-bind 1
rank 0 0-7,128-135
rank 1 8-15,136-143
rank 2 16-23,144-151
rank 3 24-31,152-159
rank 4 32-39,160-167
rank 5 40-47,168-175
rank 6 48-55,176-183
rank 7 56-63,184-191
rank 8 64-71,192-199
rank 9 72-79,200-207
rank 10 80-87,208-215
rank 11 88-95,216-223
rank 12 96-103,224-231
rank 13 104-111,232-239
rank 14 112-119,240-247
rank 15 120-127,248-255
places cores
memory domains
END

# With corewise on the PATH: it starts the same command, and compares the binding of every rank and thread
# with the placement. Exit code 1 if one differs.
if command -v corewise >/dev/null; then
    place=$files/placement.json
    cat >"$place" <<'END'
{"format": "corewise-placement", "version": 1, "machine": "perlmutter:2", "fingerprint": "b5ef49c9c4e17596", "node_fingerprints": ["39a37ed9784f047c"], "node": [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], "cores": [[0, 1, 2, 3, 4, 5, 6, 7], [8, 9, 10, 11, 12, 13, 14, 15], [16, 17, 18, 19, 20, 21, 22, 23], [24, 25, 26, 27, 28, 29, 30, 31], [32, 33, 34, 35, 36, 37, 38, 39], [40, 41, 42, 43, 44, 45, 46, 47], [48, 49, 50, 51, 52, 53, 54, 55], [56, 57, 58, 59, 60, 61, 62, 63], [64, 65, 66, 67, 68, 69, 70, 71], [72, 73, 74, 75, 76, 77, 78, 79], [80, 81, 82, 83, 84, 85, 86, 87], [88, 89, 90, 91, 92, 93, 94, 95], [96, 97, 98, 99, 100, 101, 102, 103], [104, 105, 106, 107, 108, 109, 110, 111], [112, 113, 114, 115, 116, 117, 118, 119], [120, 121, 122, 123, 124, 125, 126, 127]], "os_pus": [[0, 1, 2, 3, 4, 5, 6, 7, 128, 129, 130, 131, 132, 133, 134, 135], [8, 9, 10, 11, 12, 13, 14, 15, 136, 137, 138, 139, 140, 141, 142, 143], [16, 17, 18, 19, 20, 21, 22, 23, 144, 145, 146, 147, 148, 149, 150, 151], [24, 25, 26, 27, 28, 29, 30, 31, 152, 153, 154, 155, 156, 157, 158, 159], [32, 33, 34, 35, 36, 37, 38, 39, 160, 161, 162, 163, 164, 165, 166, 167], [40, 41, 42, 43, 44, 45, 46, 47, 168, 169, 170, 171, 172, 173, 174, 175], [48, 49, 50, 51, 52, 53, 54, 55, 176, 177, 178, 179, 180, 181, 182, 183], [56, 57, 58, 59, 60, 61, 62, 63, 184, 185, 186, 187, 188, 189, 190, 191], [64, 65, 66, 67, 68, 69, 70, 71, 192, 193, 194, 195, 196, 197, 198, 199], [72, 73, 74, 75, 76, 77, 78, 79, 200, 201, 202, 203, 204, 205, 206, 207], [80, 81, 82, 83, 84, 85, 86, 87, 208, 209, 210, 211, 212, 213, 214, 215], [88, 89, 90, 91, 92, 93, 94, 95, 216, 217, 218, 219, 220, 221, 222, 223], [96, 97, 98, 99, 100, 101, 102, 103, 224, 225, 226, 227, 228, 229, 230, 231], [104, 105, 106, 107, 108, 109, 110, 111, 232, 233, 234, 235, 236, 237, 238, 239], [112, 113, 114, 115, 116, 117, 118, 119, 240, 241, 242, 243, 244, 245, 246, 247], [120, 121, 122, 123, 124, 125, 126, 127, 248, 249, 250, 251, 252, 253, 254, 255]], "objective": "time", "solver": "auto", "seed": 1, "oversubscribed": false, "n_ranks": 16, "core": [0, 8, 16, 24, 32, 40, 48, 56, 64, 72, 80, 88, 96, 104, 112, 120]}
END
    corewise run --placement "$place" --omp-places --membind -- "${launcher[@]}" -n 16 "${app[@]}"
    exit
fi

# corewise-bind sets the cores: srun's own lists (--cpu-bind=map_cpu, mask_cpu) are the same for every node, a placement has one for each.
launch() {
    SLURM_HOSTFILE="$files/hosts" "${launcher[@]}" --distribution=arbitrary --cpu-bind=none -n 16 "$binder" "$files/bind.txt" -- "$@"
}
launch "${app[@]}"
ended=$?

# The hardware threads (os_index) that the kernel lets each rank use.
cat >"$files/report" <<'END'
rank=${OMPI_COMM_WORLD_RANK:-${PMIX_RANK:-${PMI_RANK:-${FLUX_TASK_RANK:-$SLURM_PROCID}}}}
echo "rank $rank on $(uname -n): $(grep Cpus_allowed_list /proc/self/status)"
END
launch sh "$files/report" | sort -k 2n
exit "$ended"
