/// The hwloc reader on recorded and synthetic topologies.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <tuple>

#include "corewise/node_cpus.hpp"
#include "corewise/topology.hpp"
#include "topology/shapes.hpp"

namespace corewise::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string text_of(const std::string& name) {
  std::ifstream file(std::string(CW_FIXTURES) + "/" + name);
  return {std::istreambuf_iterator<char>(file), {}};
}

NodeShape fixture(const std::string& name) { return read_topology_xml(text_of(name), name); }

Machine one_node(const NodeShape& node) { return make_machine(of_nodes({node}, {0})); }

std::vector<std::vector<std::int32_t>> os_of_all(const Machine& machine) {
  std::vector<std::vector<std::int32_t>> all;
  for (std::int32_t core = 0; core < machine.n_cores(); ++core) all.push_back(os_of(machine, core));
  return all;
}

TEST(HwlocReader, KeepsLogicalOrderWhereOsIndicesAreInterleaved) {
  // package( cores 0-3 ) package( cores 4-7 ); core c has the OS indices c and c + 8.
  const Machine machine = one_node(fixture("smt-interleaved.xml"));
  EXPECT_THAT(os_of_all(machine),
              ElementsAre(ElementsAre(0, 8), ElementsAre(1, 9), ElementsAre(2, 10), ElementsAre(3, 11),
                          ElementsAre(4, 12), ElementsAre(5, 13), ElementsAre(6, 14), ElementsAre(7, 15)));
  for (std::int32_t core = 0; core < 8; ++core) {
    EXPECT_EQ(machine.pus(CoreIndex{core})[0].logical, PuIndex{2 * core});
    EXPECT_EQ(machine.pus(CoreIndex{core})[1].logical, PuIndex{2 * core + 1});
  }
  EXPECT_EQ(meet(machine, 0, 3), 1);
  EXPECT_EQ(meet(machine, 3, 4), 2);
}

TEST(HwlocReader, LeavesOutWhatTheCpusetTook) {
  const Machine machine = one_node(fixture("cpuset-holes.xml"));
  EXPECT_THAT(os_of_all(machine), ElementsAre(ElementsAre(0, 8), ElementsAre(2), ElementsAre(3, 11),
                                              ElementsAre(4, 12), ElementsAre(6, 14), ElementsAre(15)));
  EXPECT_EQ(machine.pus(CoreIndex{5})[0].logical, PuIndex{9});  // logical indices have no holes
  EXPECT_EQ(machine.n_groups(1), 2);
}

TEST(HwlocReader, TakesHybridCoresAsTheyAre) {
  // l2(0) l2(1) l2(2 3 4 5): two large cores with two PUs each, four small cores that share a cache.
  const Machine machine = one_node(fixture("hybrid.xml"));
  EXPECT_THAT(level_names(machine), ElementsAre("l2", "node"));
  EXPECT_THAT(os_of_all(machine), ElementsAre(ElementsAre(0, 1), ElementsAre(8, 9), ElementsAre(16),
                                              ElementsAre(18), ElementsAre(20), ElementsAre(22)));
  EXPECT_EQ(meet(machine, 2, 5), 1);
  EXPECT_EQ(meet(machine, 0, 1), 2);
}

TEST(HwlocReader, NeedsNeitherPackagesNorCoresAndTellsLevelsOfOneTypeApart) {
  const Machine no_package = one_node(fixture("no-package.xml"));
  EXPECT_THAT(level_names(no_package), ElementsAre("node"));
  EXPECT_EQ(no_package.n_cores(), 4);
  const Machine no_cores = one_node(read_topology_synthetic("pack:2 pu:2"));
  EXPECT_THAT(level_names(no_cores), ElementsAre("package", "node"));
  EXPECT_EQ(no_cores.n_cores(), 4);
  EXPECT_EQ(one_node(read_topology_synthetic("pu:1")).n_cores(), 1);
  EXPECT_THAT(fixture("groups.xml").level_names, ElementsAre("group", "group2", "node"));
}

TEST(HwlocReader, TakesTheNearestMemoryForTheNumaDomain) {
  // Each core has near memory in its group and far memory in its package. The group is its NUMA domain.
  const Machine machine = one_node(fixture("two-memories.xml"));
  ASSERT_THAT(level_names(machine), ElementsAre("numa", "node"));
  EXPECT_THAT(machine.levels()[0].names, ElementsAre("group", "numa"));
  EXPECT_EQ(machine.n_groups(1), 4);
}

TEST(HwlocReader, ReadsARecordedMachine) {
  const NodeShape node = fixture("virtual-two-cores.xml");
  EXPECT_THAT(node.level_names, ElementsAre("l1d", "l2", "l3", "package", "numa", "node"));
  EXPECT_EQ(node.n_cores(), 2);
}

TEST(HwlocReader, NamesTheFileThatItCanNotRead) {
  EXPECT_THAT(refusal_of([] { (void)fixture("README.md"); }), HasSubstr("README.md: not hwloc XML"));
  const std::string text = text_of("smt-interleaved.xml");
  EXPECT_THAT(refusal_of([&] { (void)read_topology_xml(text.substr(0, text.size() / 2), "cut.xml"); }),
              HasSubstr("cut.xml: not hwloc XML"));
}

/// hwloc XML of a node with 4 packages of one core. Package i has memory if bit i of `domains` is set.
std::string packages_of_a_core(unsigned domains) {
  std::ostringstream xml;
  const auto head = [&](const char* type, int number, unsigned pus, unsigned nodes) -> std::ostream& {
    static int gp_index = 1;
    return xml << std::hex << "<object type='" << type << "' os_index='" << number << "' cpuset='0x" << pus
               << "' complete_cpuset='0x" << pus << "' nodeset='0x" << nodes << "' complete_nodeset='0x"
               << nodes << "' gp_index='" << std::dec << gp_index++ << "'";
  };
  xml << "<topology version='2.0'>";
  head("Machine", 0, 15, domains) << " allowed_cpuset='0xf' allowed_nodeset='0x" << std::hex << domains
                                  << "'>";
  for (int package = 0; package < 4; ++package) {
    const unsigned pu = 1U << package;
    head("Package", package, pu, pu & domains) << ">";
    if ((pu & domains) != 0) head("NUMANode", package, pu, pu) << " local_memory='1073741824'/>";
    head("Core", package, pu, pu & domains) << ">";
    head("PU", package, pu, pu & domains) << "/></object></object>";
  }
  xml << "</object></topology>";
  return xml.str();
}

std::vector<std::tuple<std::string, int, int>> objects_of(const NodeShape& node) {
  std::vector<std::tuple<std::string, int, int>> found;
  const Machine machine = one_node(node);
  for (const ObjectKind& kind : machine.objects()) found.emplace_back(kind.name, kind.level, kind.count);
  return found;
}

TEST(HwlocReader, PackagesAndDomainsOfASingleCoreAreCounted) {
  EXPECT_THAT(objects_of(read_topology_xml(packages_of_a_core(0b1111), "four")),
              ElementsAre(std::tuple("package", 0, 4), std::tuple("numa", 0, 4), std::tuple("node", 1, 1)));
}

TEST(HwlocReader, APackageWithoutMemoryIsNoDomainAndSwallowsNoneBesideIt) {
  // The neighbours 1 and 2 have no memory, and must not be merged into one domain.
  const NodeShape node = read_topology_xml(packages_of_a_core(0b1001), "two");
  EXPECT_THAT(objects_of(node),
              ElementsAre(std::tuple("package", 0, 4), std::tuple("numa", 0, 2), std::tuple("node", 1, 1)));
  EXPECT_EQ(meet(one_node(node), 1, 2), 1);
}

TEST(HwlocReader, TellsTheVendorOfAGpuThatNoDriverDividesAndACardThatIsUp) {
  const NodeShape node = fixture("gpus.xml");
  EXPECT_EQ(node.devices[0].driver_number, -1);
  EXPECT_EQ(node.devices[2].vendor_id, 0x10de);
  EXPECT_TRUE(node.devices[4].is_up);
}

TEST(HwlocReader, CountsNumaNodesNextToDomainsOfCores) {
  EXPECT_EQ(one_node(read_topology_xml(packages_of_a_core(0b1001), "two")).n_memory_nodes(), 2);
  EXPECT_EQ(one_node(read_topology_synthetic("[numa] [numa] pack:2 [numa] pu:2")).n_memory_nodes(), 4);
  EXPECT_EQ(one_node(cut_to_first_cores(fixture("gpus.xml"), 5)).n_memory_nodes(), 0);  // unknown
}

TEST(HwlocReader, AMachineKeepsTheDevicesOfEachNode) {
  const Machine machine = make_machine(of_nodes({fixture("gpus.xml"), fixture("groups.xml")}, {1, 0}));
  EXPECT_TRUE(machine.devices(NodeIndex{0}).empty());
  EXPECT_EQ(machine.devices(NodeIndex{1}).size(), 5U);
}

TEST(HwlocReader, ACutNodeLosesTheDevicesOfTheCoresThatItLost) {
  // The first five of eight cores: all cores of package 0 and one of package 1.
  const NodeShape five = cut_to_first_cores(fixture("gpus.xml"), 5);
  EXPECT_THAT(five.devices[2].cores, ElementsAre(4));
  const NodeShape four = cut_to_first_cores(five, 4);
  ASSERT_EQ(four.devices.size(), 2U);
  EXPECT_EQ(four.devices[0].bus_id, "0000:3b:00.0");
  EXPECT_EQ(four.devices[1].bus_id, "0000:3c:00.0");
}

NodeCpus cpus(const std::string& path) { return read_cpus_xml(text_of(path), path); }

TEST(HwlocReader, TellsKindsOfCoresSlowestFirst) {
  const NodeCpus found = cpus("core-kinds.xml");
  ASSERT_EQ(found.core_kinds.size(), 2U);
  EXPECT_EQ(found.core_kinds[0].name, "IntelAtom");
  EXPECT_THAT(found.core_kinds[0].os_pus, ElementsAre(OsIndex{16}, OsIndex{18}, OsIndex{20}, OsIndex{22}));
  EXPECT_EQ(found.core_kinds[1].name, "IntelCore");
  EXPECT_TRUE(cpus("../affinity/hybrid.xml").core_kinds.empty());  // kinds without a name
}

TEST(HwlocReader, TellsOfflinePus) {
  const NodeCpus found = cpus("../affinity/offline.xml");
  EXPECT_THAT(found.offline, ElementsAre(OsIndex{6}, OsIndex{7}, OsIndex{14}, OsIndex{15}));
  EXPECT_THAT(found.cores.front(), ElementsAre(OsIndex{0}, OsIndex{1}));
}

TEST(HwlocReader, ThisMachineAllowsSomeOfItsCores) {
  const NodeCpus found = read_local_cpus();
  EXPECT_FALSE(found.cores.empty());
  EXPECT_FALSE(found.allowed.empty());
}

}  // namespace
}  // namespace corewise::testing
