/// The binder's settings file: environment, preload library and masks.
#ifndef COREWISE_BINDER_SETTINGS_H
#define COREWISE_BINDER_SETTINGS_H

#include <corewise_formats/bind.h>
#include <sched.h>
#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Bytes of a mask of CW_BIND_MAX_PUS bits.
#define CW_MASK_BYTES (CW_BIND_MAX_PUS / 8)

/// A set of hardware threads (os_index), as sched_setaffinity() takes it.
typedef union cw_mask {
  unsigned char bytes[CW_MASK_BYTES];
  cpu_set_t set; /* for CPU_*_S macros with CW_MASK_BYTES */
} cw_mask_t;

/// What a settings file says for one rank.
typedef struct cw_settings {
  bool has_masks;     ///< the file has "rank" lines
  bool has_own_mask;  ///< one of them is this rank's
  bool places;        ///< OpenMP's threads get the cores of the mask as places
  bool memory;        ///< memory comes from the NUMA nodes of the mask
  cw_mask_t mask;     ///< valid with has_own_mask
} cw_settings_t;

/// Room for any message of this module.
#define CW_MESSAGE_BYTES 512

/// Reads "0,2-3" into `mask`.
/// @return false for anything else, an empty list, or a number from CW_BIND_MAX_PUS on.
bool cw_mask_parse(const char* list, cw_mask_t* mask);

/// Writes `mask` as "0,2-3", cut short to `size` bytes.
void cw_mask_print(const cw_mask_t* mask, char* text, size_t size);

/// Reads the file: puts its environment into this process's and finds the mask of `rank`.
/// @param rank     -1 when there is none.
/// @param message  CW_MESSAGE_BYTES; holds one sentence when false is returned.
bool cw_settings_read(const char* path, long rank, cw_settings_t* settings, char* message);

/// The rank that the launcher put into the environment; -1 when there is none.
/// Reads OMPI_COMM_WORLD_RANK, PMIX_RANK, PMI_RANK, MV2_COMM_WORLD_RANK, PALS_RANKID, ALPS_APP_PE,
/// FLUX_TASK_RANK and SLURM_PROCID, in this order.
long cw_rank_from_environment(void);

#ifdef __cplusplus
}
#endif

#endif
