// AMD GPUs as KFD lists them: from a folder of KFD's nodes to infos of hwloc's PCI devices.
#include <corewise_node/amd_gpus.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

const char* const kNode =
    "<topology version='2.0'><object type='Machine' os_index='0' cpuset='0x1' complete_cpuset='0x1' "
    "allowed_cpuset='0x1' nodeset='0x1' complete_nodeset='0x1' allowed_nodeset='0x1' gp_index='1'>"
    "<object type='NUMANode' os_index='0' cpuset='0x1' complete_cpuset='0x1' nodeset='0x1' "
    "complete_nodeset='0x1' gp_index='2' local_memory='1024'/>"
    "<object type='Core' os_index='0' cpuset='0x1' complete_cpuset='0x1' nodeset='0x1' "
    "complete_nodeset='0x1' "
    "gp_index='3'><object type='PU' os_index='0' cpuset='0x1' complete_cpuset='0x1' nodeset='0x1' "
    "complete_nodeset='0x1' gp_index='4'/></object>"
    "<object type='PCIDev' gp_index='5' pci_busid='0000:03:00.0' pci_type='0380 [1002:74a0] [0:0] 00'/>"
    "<object type='PCIDev' gp_index='6' pci_busid='0002:c1:1f.1' pci_type='0380 [1002:74a0] [0:0] 00'/>"
    "</object></topology>";

class AmdGpus : public ::testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::remove_all(nodes_);
    hwloc_topology_init(&topology_);
    hwloc_topology_set_io_types_filter(topology_, HWLOC_TYPE_FILTER_KEEP_ALL);
    ASSERT_EQ(hwloc_topology_set_xmlbuffer(topology_, kNode, static_cast<int>(std::string(kNode).size()) + 1),
              0);
    ASSERT_EQ(hwloc_topology_load(topology_), 0);
  }
  void TearDown() override {
    hwloc_topology_destroy(topology_);
    std::filesystem::remove_all(nodes_);
  }

  void write(int node, const std::string& properties) {
    const std::filesystem::path folder = nodes_ / std::to_string(node);
    std::filesystem::create_directories(folder);
    std::ofstream(folder / "properties") << properties;
  }

  std::vector<std::string> infos_of(unsigned domain, unsigned bus, unsigned device, unsigned function) {
    cw_node_add_amd_gpus(topology_, nodes_.c_str());
    const hwloc_obj_t pci = hwloc_get_pcidev_by_busid(topology_, domain, bus, device, function);
    std::vector<std::string> found;
    for (unsigned i = 0; i < pci->infos_count; ++i) {
      if (std::string(pci->infos[i].name) == CW_AMD_GPU_INFO) found.emplace_back(pci->infos[i].value);
    }
    return found;
  }

  // CTest runs each test in a separate process, several at a time.
  std::filesystem::path nodes_ =
      std::filesystem::path(::testing::TempDir()) / ("cw_kfd_nodes_" + std::to_string(getpid()));
  hwloc_topology_t topology_ = nullptr;
};

// Node 0 is a CPU, and node 2 can't be read in this container. Location 0x1000c1f9 is partition 1 of 0xc1f9.
TEST_F(AmdGpus, AreCountedInTheDriversOrderWithTheirPartitions) {
  write(0, "cpu_cores_count 24\nsimd_count 0\nlocation_id 0\n");
  write(1, "simd_count 304\ndomain 2\nlocation_id 49657\nunique_id 171\n");
  write(2, "");
  write(3, "simd_count 304\ndomain 2\nlocation_id 268485113\nunique_id 171\n");
  write(4, "simd_count 220\ndomain 0\nlocation_id 768\nunique_id 18446744073709551615\n");
  write(6, "simd_count 220\ndomain 0\nlocation_id 768\nunique_id 1\n");  // after a gap: no node
  EXPECT_THAT(infos_of(2, 0xc1, 0x1f, 1), ElementsAre("0 00000000000000ab", "1 00000000000000ab"));
  const hwloc_obj_t other = hwloc_get_pcidev_by_busid(topology_, 0, 3, 0, 0);
  EXPECT_STREQ(hwloc_obj_get_info_by_name(other, CW_AMD_GPU_INFO), "2 ffffffffffffffff");
}

TEST_F(AmdGpus, AreNoneWhereThereIsNoDriver) { EXPECT_THAT(infos_of(0, 3, 0, 0), IsEmpty()); }

TEST_F(AmdGpus, WithoutAPciDeviceAreLeftOut) {
  write(0, "simd_count 304\ndomain 7\nlocation_id 768\nunique_id 1\n");
  EXPECT_THAT(infos_of(0, 3, 0, 0), IsEmpty());
}

}  // namespace
