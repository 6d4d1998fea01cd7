// The baseline of plain_messages.hpp with MPI.
#define OMPI_SKIP_MPICXX 1
#define MPICH_SKIP_MPICXX 1
#include <mpi.h>

#include <array>
#include <chrono>
#include <cstdint>
#include <vector>

#include "plain_messages.hpp"
#include "spread.hpp"

namespace {

struct Record {
  std::size_t offset;
  long value;
};

void send_adds(std::size_t n_adds, std::size_t n_elements, std::size_t records_per_buffer) {
  std::array<std::vector<Record>, 2> buffers{std::vector<Record>(records_per_buffer),
                                             std::vector<Record>(records_per_buffer)};
  std::array<MPI_Request, 2> in_flight{MPI_REQUEST_NULL, MPI_REQUEST_NULL};
  std::size_t sent = 0;
  for (std::size_t turn = 0; sent < n_adds; turn = 1 - turn) {
    MPI_Wait(&in_flight[turn], MPI_STATUS_IGNORE);
    const std::size_t count = std::min(records_per_buffer, n_adds - sent);
    for (std::size_t k = 0; k < count; ++k) buffers[turn][k] = {spread(sent + k) & (n_elements - 1), 1};
    MPI_Isend(buffers[turn].data(), static_cast<int>(count * sizeof(Record)), MPI_BYTE, 1, 1, MPI_COMM_WORLD,
              &in_flight[turn]);
    sent += count;
  }
  MPI_Waitall(2, in_flight.data(), MPI_STATUSES_IGNORE);
  MPI_Recv(nullptr, 0, MPI_BYTE, 1, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

void receive_adds(std::size_t n_adds, std::size_t n_elements, std::size_t records_per_buffer) {
  std::vector<long> block(n_elements);
  std::vector<Record> buffer(records_per_buffer);
  for (std::size_t received = 0; received < n_adds;) {
    MPI_Status status;
    MPI_Recv(buffer.data(), static_cast<int>(records_per_buffer * sizeof(Record)), MPI_BYTE, 0, 1,
             MPI_COMM_WORLD, &status);
    int bytes = 0;
    MPI_Get_count(&status, MPI_BYTE, &bytes);
    const std::size_t count = static_cast<std::size_t>(bytes) / sizeof(Record);
    for (std::size_t k = 0; k < count; ++k) block[buffer[k].offset] += buffer[k].value;
    received += count;
  }
  MPI_Send(nullptr, 0, MPI_BYTE, 0, 2, MPI_COMM_WORLD);
}

}  // namespace

double plain_adds_per_us(std::size_t n_adds, std::size_t n_elements, std::size_t buffer_bytes) {
  int initialized = 0;
  MPI_Initialized(&initialized);
  int provided = 0;
  if (!initialized) MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided);
  int rank = 0;
  int size = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (size < 2) return 0;
  MPI_Barrier(MPI_COMM_WORLD);
  const auto start = std::chrono::steady_clock::now();
  if (rank == 0) send_adds(n_adds, n_elements, buffer_bytes / sizeof(Record));
  if (rank == 1) receive_adds(n_adds, n_elements, buffer_bytes / sizeof(Record));
  const std::chrono::duration<double, std::micro> time = std::chrono::steady_clock::now() - start;
  return rank == 0 ? static_cast<double>(n_adds) / time.count() : 0;
}

void finish_plain_messages() { MPI_Finalize(); }
