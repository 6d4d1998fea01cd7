/* The environment variables and open files that say which devices this process may use and uses. */
#define _GNU_SOURCE
#include "devices.h"

#include <ctype.h>
#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Slurm's lists give meaning to the numbers in the others: python/corewise/launchers/device_variables.py. */
static const char* const kVariables[] = {
    "CUDA_VISIBLE_DEVICES",   "CUDA_DEVICE_ORDER",                                         /* NVIDIA */
    "ROCR_VISIBLE_DEVICES",   "HIP_VISIBLE_DEVICES",                                       /* AMD */
    "ZE_AFFINITY_MASK",       "ZE_FLAT_DEVICE_HIERARCHY", "ZE_ENABLE_PCI_ID_DEVICE_ORDER", /* Intel */
    "ONEAPI_DEVICE_SELECTOR", "UCX_NET_DEVICES",          "SLURM_STEP_GPUS",
    "SLURM_JOB_GPUS"};

void cw_each_device_variable(void (*visit)(const char* name, const char* value, void* context),
                             void* context) {
  for (size_t i = 0; i < sizeof kVariables / sizeof *kVariables; ++i) {
    const char* value = getenv(kVariables[i]);
    if (value != NULL) visit(kVariables[i], value, context);
  }
}

/* Not the files that all GPUs of a node share, such as /dev/nvidiactl and /dev/kfd. */
static bool is_of_one_gpu(const char* file) {
  if (strncmp(file, "dri/", 4) == 0) return true;
  return strncmp(file, "nvidia", 6) == 0 && isdigit((unsigned char)file[6]) != 0;
}

/* Is the word in the list? A driver may have several descriptors of one file. */
static bool is_listed(const char* list, const char* word) {
  const size_t length = strlen(word);
  for (const char* at = list; (at = strstr(at, word)) != NULL; at += length) {
    const bool begins = at == list || at[-1] == ' ';
    if (begins && (at[length] == ' ' || at[length] == 0)) return true;
  }
  return false;
}

size_t cw_open_device_files(char* list, size_t room) {
  static const char kFolder[] = "/dev/";
  const size_t skipped = sizeof kFolder - 1;
  size_t used = 0;
  list[0] = 0;
  DIR* folder = opendir("/proc/self/fd");
  if (folder == NULL) return 0;
  const struct dirent* entry = NULL;
  while ((entry = readdir(folder)) != NULL) {
    char target[64]; /* longer names are of other files */
    const ssize_t n = readlinkat(dirfd(folder), entry->d_name, target, sizeof target - 1);
    if (n <= 0) continue;
    target[n] = 0;
    const char* file = target + skipped;
    if (strncmp(target, kFolder, skipped) != 0 || !is_of_one_gpu(file) || is_listed(list, file)) continue;
    const size_t needed = strlen(file) + (used > 0);
    if (used + needed >= room) break;
    snprintf(list + used, room - used, "%s%s", used > 0 ? " " : "", file);
    used += needed;
  }
  closedir(folder);
  return used;
}
