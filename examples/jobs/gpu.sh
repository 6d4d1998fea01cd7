#!/bin/bash
# Written by `corewise export --script slurm`: 16 ranks on 4 nodes of the machine fixtures/topologies/gpus.xml:4. Submit: sbatch THIS_FILE
#SBATCH --nodes=4
#SBATCH --ntasks-per-node=4
#SBATCH --exclusive
#SBATCH --gpus-per-node=3
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
${node[1]}
${node[1]}
${node[1]}
${node[1]}
${node[2]}
${node[2]}
${node[2]}
${node[2]}
${node[3]}
${node[3]}
${node[3]}
${node[3]}
END

cat >"$files/bind.txt" <<'END'
corewise-bind 1
rank 0 0,8
rank 1 1,9
rank 2 2,10
rank 3 4,12
rank 4 0,8
rank 5 1,9
rank 6 2,10
rank 7 4,12
rank 8 0,8
rank 9 1,9
rank 10 2,10
rank 11 4,12
rank 12 0,8
rank 13 1,9
rank 14 2,10
rank 15 4,12
rank-env 0 CUDA_VISIBLE_DEVICES=0
rank-env 0 CUDA_DEVICE_ORDER=PCI_BUS_ID
rank-env 0 COREWISE_AFFINITY=near=0000:3b:00.0
rank-env 1 CUDA_VISIBLE_DEVICES=1
rank-env 1 CUDA_DEVICE_ORDER=PCI_BUS_ID
rank-env 1 COREWISE_AFFINITY=near=0000:3c:00.0
rank-env 2 CUDA_VISIBLE_DEVICES=0
rank-env 2 CUDA_DEVICE_ORDER=PCI_BUS_ID
rank-env 2 COREWISE_AFFINITY=near=0000:3b:00.0
rank-env 3 CUDA_VISIBLE_DEVICES=2
rank-env 3 CUDA_DEVICE_ORDER=PCI_BUS_ID
rank-env 3 COREWISE_AFFINITY=near=0000:d8:00.0
rank-env 4 CUDA_VISIBLE_DEVICES=0
rank-env 4 CUDA_DEVICE_ORDER=PCI_BUS_ID
rank-env 4 COREWISE_AFFINITY=near=0000:3b:00.0
rank-env 5 CUDA_VISIBLE_DEVICES=1
rank-env 5 CUDA_DEVICE_ORDER=PCI_BUS_ID
rank-env 5 COREWISE_AFFINITY=near=0000:3c:00.0
rank-env 6 CUDA_VISIBLE_DEVICES=0
rank-env 6 CUDA_DEVICE_ORDER=PCI_BUS_ID
rank-env 6 COREWISE_AFFINITY=near=0000:3b:00.0
rank-env 7 CUDA_VISIBLE_DEVICES=2
rank-env 7 CUDA_DEVICE_ORDER=PCI_BUS_ID
rank-env 7 COREWISE_AFFINITY=near=0000:d8:00.0
rank-env 8 CUDA_VISIBLE_DEVICES=0
rank-env 8 CUDA_DEVICE_ORDER=PCI_BUS_ID
rank-env 8 COREWISE_AFFINITY=near=0000:3b:00.0
rank-env 9 CUDA_VISIBLE_DEVICES=1
rank-env 9 CUDA_DEVICE_ORDER=PCI_BUS_ID
rank-env 9 COREWISE_AFFINITY=near=0000:3c:00.0
rank-env 10 CUDA_VISIBLE_DEVICES=0
rank-env 10 CUDA_DEVICE_ORDER=PCI_BUS_ID
rank-env 10 COREWISE_AFFINITY=near=0000:3b:00.0
rank-env 11 CUDA_VISIBLE_DEVICES=2
rank-env 11 CUDA_DEVICE_ORDER=PCI_BUS_ID
rank-env 11 COREWISE_AFFINITY=near=0000:d8:00.0
rank-env 12 CUDA_VISIBLE_DEVICES=0
rank-env 12 CUDA_DEVICE_ORDER=PCI_BUS_ID
rank-env 12 COREWISE_AFFINITY=near=0000:3b:00.0
rank-env 13 CUDA_VISIBLE_DEVICES=1
rank-env 13 CUDA_DEVICE_ORDER=PCI_BUS_ID
rank-env 13 COREWISE_AFFINITY=near=0000:3c:00.0
rank-env 14 CUDA_VISIBLE_DEVICES=0
rank-env 14 CUDA_DEVICE_ORDER=PCI_BUS_ID
rank-env 14 COREWISE_AFFINITY=near=0000:3b:00.0
rank-env 15 CUDA_VISIBLE_DEVICES=2
rank-env 15 CUDA_DEVICE_ORDER=PCI_BUS_ID
rank-env 15 COREWISE_AFFINITY=near=0000:d8:00.0
END

# With corewise on the PATH: it starts the same command, and compares the binding of every rank and thread
# with the placement. Exit code 1 if one differs.
if command -v corewise >/dev/null; then
    place=$files/placement.json
    cat >"$place" <<'END'
{"format": "corewise-placement", "version": 1, "machine": "fixtures/topologies/gpus.xml:4", "fingerprint": "7bc9b2eb89905f42", "node_fingerprints": ["d822ee1fe7a84744", "d822ee1fe7a84744", "d822ee1fe7a84744", "d822ee1fe7a84744"], "node": [0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3], "cores": [[0], [1], [2], [4], [0], [1], [2], [4], [0], [1], [2], [4], [0], [1], [2], [4]], "os_pus": [[0, 8], [1, 9], [2, 10], [4, 12], [0, 8], [1, 9], [2, 10], [4, 12], [0, 8], [1, 9], [2, 10], [4, 12], [0, 8], [1, 9], [2, 10], [4, 12]], "objective": "time", "solver": "auto", "seed": 1, "oversubscribed": false, "n_ranks": 16, "core": [0, 1, 2, 4, 0, 1, 2, 4, 0, 1, 2, 4, 0, 1, 2, 4]}
END
    corewise run --placement "$place" --near gpu -- "${launcher[@]}" -n 16 "${app[@]}"
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
