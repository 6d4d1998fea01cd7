/* What is counted for a rank or a core. The structs and functions follow from the rows of sample.def. */
#ifndef COREWISE_STEER_SAMPLE_H
#define COREWISE_STEER_SAMPLE_H

#include <corewise_formats/steer.h>
#include <stdint.h>

/* Greatest values in a log, beyond any job: 1000 s in an interval, or 1 TB. Their sums fit in 64 bits. */
#define CW_MOST_COUNT INT64_C(1000000000000)
#define CW_MOST_RANK (INT64_C(1) << 31)

struct cw_rank_sample {
#define CW_RANK_FIELD(name, ...) int64_t name;
#include "sample.def"
};

struct cw_core_sample {
#define CW_CORE_FIELD(name, ...) int64_t name;
#include "sample.def"
};

/* Samples before anything was counted. */
struct cw_rank_sample cw_rank_sample_empty(void);
struct cw_core_sample cw_core_sample_empty(void);

/* Growth of a total; 0 if the total went back. */
static inline int64_t cw_grown(int64_t now, int64_t before) { return now > before ? now - before : 0; }

/* The sample of an interval from the totals of a slot at its end and at its start. */
struct cw_rank_sample cw_rank_sample_growth(const struct cw_rank_sample* now,
                                            const struct cw_rank_sample* before);

/* The same for a core. `counted`: bits (1 << cw_monitor_id) of the monitors that could be read at the end.
 * Sets these monitors' fields of `before` to those of `now`; the other fields of the result are "not
 * counted". */
struct cw_core_sample cw_core_sample_growth(const struct cw_core_sample* now, struct cw_core_sample* before,
                                            unsigned counted);

/* Adds an interval to the sample of a window of the same rank or core. */
void cw_rank_sample_add(struct cw_rank_sample* sum, const struct cw_rank_sample* sample);
void cw_core_sample_add(struct cw_core_sample* sum, const struct cw_core_sample* sample);

#endif
