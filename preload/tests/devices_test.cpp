/// Which GPUs a rank may use, and which ones it has open. No GPU is needed: readlinkat() says what a
/// driver would have opened.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>

#include "corewise/profile.hpp"

extern "C" {
#include "../store/store.h"
#include "../verify/devices.h"
#include "../verify/verify.h"
}

namespace {
const char* open_file = nullptr;  // by every descriptor
}

/// Replaces the C library's function.
extern "C" ssize_t readlinkat(int place, const char* path, char* target, std::size_t room) noexcept {
  if (open_file == nullptr) return syscall(SYS_readlinkat, place, path, target, room);
  const std::size_t n = std::min(std::strlen(open_file), room);
  std::memcpy(target, open_file, n);
  return static_cast<ssize_t>(n);
}

namespace corewise {
namespace {

using testing::ElementsAre;

std::string open_files(const char* file, std::size_t room = 100) {
  std::string list(room, 'x');
  open_file = file;
  const std::size_t n = cw_open_device_files(list.data(), room);
  open_file = nullptr;
  EXPECT_EQ(n, std::strlen(list.c_str()));
  return list.c_str();
}

TEST(Devices, OfOneGpuAreListedOnceAndFilesThatAllGpusShareAreNot) {
  EXPECT_EQ(open_files("/dev/nvidia11"), "nvidia11");
  EXPECT_EQ(open_files("/dev/dri/renderD128"), "dri/renderD128");
  for (const char* shared : {"/dev/nvidiactl", "/dev/nvidia-uvm", "/dev/kfd", "/dev/null", "socket:[1]"}) {
    EXPECT_EQ(open_files(shared), "");
  }
  EXPECT_EQ(open_files("/dev/nvidia11", 8), "") << "there is no room for the final 0";
}

TEST(Devices, AreWrittenIntoTheProfileAsTheyWereAtMpiInitAndAtMpiFinalize) {
  const std::string directory = testing::TempDir() + "/cw_devices_" + std::to_string(getpid());
  const pid_t rank = fork();
  if (rank == 0) {
    const cw_profile_call calls[] = {{"MPI_Send", CW_LAYER_P2P, CW_FLOW_NONE, {}}};
    const cw_store_job job = {directory.c_str(), "job", "", 0, 1, calls, 1};
    setenv("CUDA_VISIBLE_DEVICES", "2", 1);
    setenv("SLURM_STEP_GPUS", std::string(2000, '7').c_str(), 1);
    if (cw_store_open(&job) != nullptr) _exit(3);
    cw_verify_observer.start();
    unsetenv("CUDA_VISIBLE_DEVICES");
    for (const char* file : {"/dev/nvidia1", "/dev/nvidia2"}) {  // two calls: the last one counts
      open_file = file;
      cw_verify_observer.finish();
    }
    cw_store_rank()->finished = 1;
    _exit(0);
  }
  int status = 0;
  waitpid(rank, &status, 0);
  ASSERT_EQ(status, 0);
  const RankInfo found = Profile::read(directory).ranks()[0];
  std::filesystem::remove_all(directory);
  EXPECT_THAT(found.device_variables, ElementsAre(DeviceVariable{"CUDA_VISIBLE_DEVICES", "2"},
                                                  DeviceVariable{"SLURM_STEP_GPUS", std::string(959, '7')}));
  EXPECT_THAT(found.device_files, ElementsAre("/dev/nvidia2"));
}

}  // namespace
}  // namespace corewise
