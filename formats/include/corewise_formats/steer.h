/// First lines and limits of steering's text files (FORMATS.md, from "Steering's machine" on).
#ifndef COREWISE_FORMATS_STEER_H
#define COREWISE_FORMATS_STEER_H

#define CW_STEER_LOG_FIRST_LINE "corewise-steer-log 1"
#define CW_STEER_PAIRS_FIRST_LINE "corewise-steer-pairs 1"
#define CW_STEER_TARGETS_FIRST_LINE "corewise-steer-targets 1"

/// Limits of one node. A file that exceeds them is refused.
enum {
  CW_STEER_MOST_CORES = 1024,
  CW_STEER_MOST_RANKS = 1024,
  CW_STEER_MOST_PEERS = 8, /* peers of a rank in one interval: those with most bytes */
  CW_STEER_MOST_LIST = 8   /* entries of a list: hardware threads of a core, levels of cache */
};

#endif
