// The baseline in the same run: adds by aggregated one-way MPI messages, without a runtime.
#pragma once

#include <cstddef>

/// Rank 0 fills buffers of `buffer_bytes` with 16-byte records (offset, value) and sends them, two in flight.
/// Rank 1 adds the values to a block of `n_elements` longs, a power of two.
/// @return millions of adds per second on rank 0; 0 on other ranks, and if the program has no MPI.
double plain_adds_per_us(std::size_t n_adds, std::size_t n_elements, std::size_t buffer_bytes);

/// Calls MPI_Finalize if plain_adds_per_us() has called MPI_Init_thread.
void finish_plain_messages();
