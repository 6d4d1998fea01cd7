/* Recorders of calls that send nothing. */
#ifndef COREWISE_PMPI_RECORD_CALL_H
#define COREWISE_PMPI_RECORD_CALL_H

#include <stdint.h>

#include "layer.h"

/* The call and its time. */
void cw_record_time(uint16_t call, const struct cw_span* span);

/* For persistent operations whose starts send nothing. */
void cw_record_nothing(uint16_t call, const struct cw_span* span);

#endif
