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

/// A set of hardware threads (os_index) for sched_setaffinity().
typedef union cw_mask {
  unsigned char bytes[CW_MASK_BYTES];
  cpu_set_t set; /* for CPU_*_S macros with CW_MASK_BYTES */
} cw_mask_t;

/// The settings of one rank.
typedef struct cw_settings {
  bool has_masks;     ///< the file has "rank" lines
  bool has_own_mask;  ///< one of these is for this rank
  bool places;        ///< set OMP_PLACES to the cores of the mask
  bool memory;        ///< allocate memory only on the NUMA nodes of the mask
  cw_mask_t mask;     ///< valid with has_own_mask
} cw_settings_t;

/// Size of message buffers.
#define CW_MESSAGE_BYTES 512

/// Parses "0,2-3" into `mask`.
/// @return false for other text, an empty list, and numbers of CW_BIND_MAX_PUS or more.
bool cw_mask_parse(const char* list, cw_mask_t* mask);

/// Writes `mask` as "0,2-3", cut short to `size` bytes.
void cw_mask_print(const cw_mask_t* mask, char* text, size_t size);

/// Reads the file: sets environment variables of this process, and finds the mask of `rank`.
/// @param rank     -1: unknown.
/// @param message  CW_MESSAGE_BYTES; set to a sentence if this returns false.
bool cw_settings_read(const char* path, long rank, cw_settings_t* settings, char* message);

/// The rank in the launcher's environment variables; -1: none. Checks OMPI_COMM_WORLD_RANK, PMIX_RANK,
/// PMI_RANK, MV2_COMM_WORLD_RANK, PALS_RANKID, ALPS_APP_PE, FLUX_TASK_RANK and SLURM_PROCID, in this order.
long cw_rank_from_environment(void);

#ifdef __cplusplus
}
#endif

#endif
