/* What was counted of one rank, or of one core: the structs of sample.def, and what follows from its rules.
 */
#ifndef COREWISE_STEER_SAMPLE_H
#define COREWISE_STEER_SAMPLE_H

#include <corewise_formats/steer.h>
#include <stdint.h>

/* The most that a log may hold: a thousand seconds in an interval, and a terabyte, are beyond any job; sums
 * of them stay in 64 bits. */
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

/* Nothing was counted. */
struct cw_rank_sample cw_rank_sample_empty(void);
struct cw_core_sample cw_core_sample_empty(void);

/* From `before` to `now`, 0 if the total went back. */
static inline int64_t cw_grown(int64_t now, int64_t before) { return now > before ? now - before : 0; }

/* The sample of an interval from what a slot or report held at its end and at its start. */
struct cw_rank_sample cw_rank_sample_growth(const struct cw_rank_sample* now,
                                            const struct cw_rank_sample* before);

/* Likewise of a core; `counted`: bits (1 << cw_monitor_id) of the monitors that could be read at its end.
 * Fields of the others are not counted, and `before` keeps theirs; it becomes `now` otherwise. */
struct cw_core_sample cw_core_sample_growth(const struct cw_core_sample* now, struct cw_core_sample* before,
                                            unsigned counted);

/* Adds an interval of the same rank or core to the sample of a window. */
void cw_rank_sample_add(struct cw_rank_sample* sum, const struct cw_rank_sample* sample);
void cw_core_sample_add(struct cw_core_sample* sum, const struct cw_core_sample* sample);

#endif
