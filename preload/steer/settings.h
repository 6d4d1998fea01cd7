/* Thresholds of the metrics and of the guard: part of a log, so that it replays. */
#ifndef COREWISE_STEER_SETTINGS_H
#define COREWISE_STEER_SETTINGS_H

#include <stdbool.h>
#include <stdint.h>

#include "fields.h"

/* Shares and gains are parts per thousand. Defaults and where they come from: settings.c. */
struct cw_steer_settings {
  int64_t node;           /* which node of the job decides with them */
  int64_t dry_run;        /* 1: no swap is carried out */
  int64_t async_progress; /* 1: where progress is missing, a thread of the rank makes it; 0: it is advised */
  int64_t interval_ns;    /* how long an interval of observations is at least */
  int64_t log_bytes;      /* a log of so many is ended and another one begun */
  int64_t targets_ns;     /* how often a solver outside is told the pairs and asked for targets; 0: never */
  /* when a window of observations is long enough */
  int64_t window_ns;
  int64_t window_iterations;
  int64_t windows_in_a_row; /* that must propose a swap before it is tried */
  int64_t window_most_ns;   /* a window without enough events after this time is dropped */
  /* effective capability of a core */
  int64_t tick_ns;           /* how often the kernel looks whether a core works on interrupts */
  int64_t packet_ns;         /* time that the kernel takes of a core for a packet */
  int64_t packet_most_ns;    /* the same on a slow host: what it takes is not observed */
  int64_t delay_most_factor; /* what other threads cost with the caches that they empty, over their time */
  int64_t packet_most_share; /* the most of a core that packets are taken to cost */
  int64_t protocol_share;    /* of the node's packets, to call a core the protocol core */
  int64_t capability_margin; /* cores that differ by less are alike */
  /* metrics */
  int64_t high_idleness; /* wait over compute time */
  int64_t low_idleness;
  int64_t unsent_share; /* of the window: computing with unsent data */
  int64_t wait_share;   /* of the window: waiting */
  int64_t heavy_factor; /* bytes of a heavy rank over those of a light one */
  /* what a swap must promise, and what it must show */
  int64_t least_confidence;
  int64_t least_gain;      /* predicted, where a metric predicts */
  int64_t keep_gain;       /* measured: time an iteration took before and after */
  int64_t most_loss;       /* measured after a swap was kept */
  int64_t watched_windows; /* after a swap was kept */
  int64_t settle_ns;       /* left out behind a swap */
  int64_t answer_ns;       /* the actuator answers within this time */
  int64_t memory_pages; /* that each rank lets follow it in an interval after a kept swap; 0: memory stays */
  /* back-off and budget */
  int64_t backoff_ns; /* after a swap that did not pay; doubles each time */
  int64_t backoff_most_ns;
  int64_t shared_first_ns; /* two processes may share a core this long in all... */
  int64_t shared_share;    /* ...and this part of the time since the start, in millionths */
};

struct cw_steer_settings cw_steer_settings_default(void);

/* The fields of a line "settings ...". What it does not name keeps its value. */
bool cw_steer_settings_read(const char* fields, struct cw_steer_settings* settings, char* message);

void cw_steer_settings_write(const struct cw_steer_settings* settings, struct cw_buffer* buffer);

#endif
