// The baseline: adds by plain aggregated one-way MPI messages, without any runtime, in the same run.
#pragma once

#include <cstddef>

/// Rank 0 fills buffers of `buffer_bytes` with (offset, value) records of 16 bytes and sends them, two in
/// flight; rank 1 adds them to a block of `n_elements` longs, a power of two.
/// @return millions of adds per second, on rank 0; 0 elsewhere and where the program has no MPI.
double plain_adds_per_us(std::size_t n_adds, std::size_t n_elements, std::size_t buffer_bytes);

/// Calls MPI_Finalize where plain_adds_per_us() has called MPI_Init_thread.
void finish_plain_messages();
