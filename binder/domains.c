/// Finds the cores and NUMA nodes of a mask in /sys, and binds memory.
#include "domains.h"

#include <errno.h>
#include <linux/mempolicy.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define BITS_OF_WORD (8 * sizeof(unsigned long))

/// Reads a file with a list such as "0-3,8".
/// @return false if the file does not exist or is empty.
static bool read_list(const char* path, cw_mask_t* list) {
  FILE* file = fopen(path, "r");
  if (!file) return false;
  char* line = NULL;
  size_t size = 0;
  const ssize_t length = getline(&line, &size, file);
  fclose(file);
  if (length > 0 && line[length - 1] == '\n') line[length - 1] = '\0';
  const bool valid = length > 0 && cw_mask_parse(line, list);
  free(line);
  return valid;
}

/// The hardware threads of `mask` on the core of `pu`; only `pu` if the kernel doesn't report siblings.
static void threads_of_core(int pu, const cw_mask_t* mask, const char* system_folder, cw_mask_t* core) {
  char path[CW_MESSAGE_BYTES];
  snprintf(path, sizeof path, "%s/cpu/cpu%d/topology/thread_siblings_list", system_folder, pu);
  if (!read_list(path, core)) memset(core, 0, sizeof *core);
  CPU_SET_S(pu, CW_MASK_BYTES, &core->set);
  CPU_AND_S(CW_MASK_BYTES, &core->set, &core->set, &mask->set);
}

char* cw_places_of(const cw_mask_t* mask, const char* system_folder) {
  char* text = NULL;
  size_t size = 0;
  FILE* stream = open_memstream(&text, &size);
  if (!stream) return NULL;
  static cw_mask_t left, core;
  left = *mask;
  const char* comma_before_place = "";
  for (int pu = 0; pu < CW_BIND_MAX_PUS; ++pu) {
    if (!CPU_ISSET_S(pu, CW_MASK_BYTES, &left.set)) continue;
    threads_of_core(pu, &left, system_folder, &core);
    fputs(comma_before_place, stream);
    comma_before_place = ",";
    const char* comma = "{";
    for (int thread = pu; thread < CW_BIND_MAX_PUS; ++thread) {
      if (!CPU_ISSET_S(thread, CW_MASK_BYTES, &core.set)) continue;
      fprintf(stream, "%s%d", comma, thread);
      comma = ",";
    }
    fputs("}", stream);
    CPU_XOR_S(CW_MASK_BYTES, &left.set, &left.set, &core.set);
  }
  if (fclose(stream) == 0) return text;
  free(text);
  return NULL;
}

cw_numa_nodes_t cw_numa_nodes_of(const cw_mask_t* mask, const char* system_folder) {
  static cw_mask_t with_memory, cpus;
  cw_numa_nodes_t nodes = {{0}};
  char path[CW_MESSAGE_BYTES];
  snprintf(path, sizeof path, "%s/node/has_memory", system_folder);
  if (!read_list(path, &with_memory)) return nodes;
  for (size_t node = 0; node < CW_MAX_NUMA_NODES; ++node) {
    if (!CPU_ISSET_S(node, CW_MASK_BYTES, &with_memory.set)) continue;
    snprintf(path, sizeof path, "%s/node/node%zu/cpulist", system_folder, node);
    if (!read_list(path, &cpus)) continue;
    CPU_AND_S(CW_MASK_BYTES, &cpus.set, &cpus.set, &mask->set);
    if (CPU_COUNT_S(CW_MASK_BYTES, &cpus.set) > 0) {
      nodes.words[node / BITS_OF_WORD] |= 1UL << node % BITS_OF_WORD;
    }
  }
  return nodes;
}

int cw_bind_memory(const cw_numa_nodes_t* nodes) {
  cw_numa_nodes_t seen = {{0}};
  int mode = 0;
  // glibc has no functions for these system calls; libnuma's would do the same.
  if (syscall(SYS_set_mempolicy, MPOL_BIND, nodes->words, CW_MAX_NUMA_NODES) != 0) return errno;
  if (syscall(SYS_get_mempolicy, &mode, seen.words, CW_MAX_NUMA_NODES, NULL, 0) != 0) return errno;
  return mode == MPOL_BIND && memcmp(&seen, nodes, sizeof seen) == 0 ? 0 : EDOM;
}
