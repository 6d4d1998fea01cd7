/// Shared objects of the process: symbols in unusual tables, and slots in read-only memory.
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

extern "C" {
#include "../pmpi/calls/objects.h"
int cw_test_target() { return 1; }
}

namespace corewise {
namespace {

int other_target() { return 2; }

/// The module, as the dynamic linker has loaded it.
class Module : public testing::Test {
 protected:
  void SetUp() override {
    handle_ = dlopen(CW_OBJECTS_MODULE, RTLD_NOW | RTLD_LOCAL);
    ASSERT_NE(handle_, nullptr) << dlerror();
    cw_objects_visit(keep_module, &module_);
    ASSERT_NE(module_.symbols, nullptr);
  }
  void TearDown() override { dlclose(handle_); }

  /// The relocation of the 8 bytes at the module's `symbol`, which hold the address of cw_test_target().
  const ElfW(Rela) & relocation_at(const char* symbol) const {
    const auto* slot = static_cast<const char*>(dlsym(handle_, symbol));
    const auto offset = reinterpret_cast<std::uintptr_t>(slot) - module_.base;
    for (int table = 0; table < 2; ++table) {
      for (std::size_t i = 0; i < module_.n_relocations[table]; ++i) {
        if (module_.relocations[table][i].r_offset == offset) return module_.relocations[table][i];
      }
    }
    throw std::runtime_error("no relocation there");
  }

  /// The module's lines in /proc/self/maps.
  static std::string memory() {
    std::ifstream maps("/proc/self/maps");
    std::string line, lines;
    while (std::getline(maps, line)) {
      if (line.find(CW_OBJECTS_MODULE) != std::string::npos) lines += line + "\n";
    }
    return lines;
  }

  void check_slot(const char* symbol) const {
    const ElfW(Rela)& relocation = relocation_at(symbol);
    const auto target = reinterpret_cast<std::uintptr_t>(cw_test_target);
    ASSERT_EQ(cw_object_slot(&module_, &relocation), target);
    const std::string before = memory();
    cw_object_set_slot(&module_, &relocation, reinterpret_cast<std::uintptr_t>(other_target));
    int (*now)() = nullptr;
    std::memcpy(&now, dlsym(handle_, symbol), sizeof now);
    EXPECT_EQ(now(), 2);
    EXPECT_EQ(memory(), before);
    cw_object_set_slot(&module_, &relocation, target);
  }

  void* handle_ = nullptr;
  cw_object module_ = {};

 private:
  static bool keep_module(const cw_object* object, void* state) {
    if (std::string(object->path) != CW_OBJECTS_MODULE) return true;
    *static_cast<cw_object*>(state) = *object;
    return false;
  }
};

TEST_F(Module, ASlotAmongConstantsIsSetAndTheyAreConstantAgain) { check_slot("cw_test_slot_of_constant"); }

TEST_F(Module, ASlotInTheCodeIsSetAndTheCodeIsAsItWas) { check_slot("cw_test_slot_in_code"); }

TEST_F(Module, ASlotThatTheKernelProtectsStaysUnchanged) {
  const ElfW(Rela)& relocation = relocation_at("cw_test_slot_in_code");
  const std::uintptr_t before = cw_object_slot(&module_, &relocation);
  constexpr int kSetMdwe = 65, kRefuseExecGain = 1, kNoSuchRule = 77;  // linux/prctl.h since Linux 6.3
  const pid_t child = fork();
  if (child == 0) {
    if (prctl(kSetMdwe, kRefuseExecGain, 0, 0, 0) != 0) _exit(kNoSuchRule);
    cw_object_set_slot(&module_, &relocation, reinterpret_cast<std::uintptr_t>(other_target));
    _exit(cw_object_slot(&module_, &relocation) == before ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  if (WIFEXITED(status) && WEXITSTATUS(status) == kNoSuchRule) GTEST_SKIP() << "needs Linux 6.3";
  EXPECT_EQ(status, 0);
}

TEST_F(Module, AnIndirectFunctionIsFoundWhereItsResolverSays) {
  const auto found = cw_objects_find("cw_test_indirect");
  ASSERT_NE(found, 0u);
  EXPECT_EQ(reinterpret_cast<int (*)()>(found)(), 7);
  EXPECT_STREQ(cw_objects_path("cw_test_indirect"), CW_OBJECTS_MODULE);
}

TEST(Objects, AHashTableWithoutSymbolsHasNone) {
  const ElfW(Sym) symbol = {};
  const std::uint32_t empty[] = {1, 1, 1, 0, 0, 0, 0};  // as written by GNU ld: one bucket, one filter word
  const std::uint32_t no_bucket[] = {0, 1, 1, 0, ~0u, ~0u};
  const std::uint32_t no_word[] = {1, 1, 0, 0, 0};
  const std::uint32_t nothing[] = {0, 0};
  cw_object object = {};
  object.symbols = &symbol;
  object.strings = "";
  for (const std::uint32_t* table : {empty, no_bucket, no_word}) {
    object.gnu_hash = table;
    EXPECT_EQ(cw_object_symbol(&object, "MPI_Send"), nullptr);
  }
  object.gnu_hash = nullptr;
  EXPECT_EQ(cw_object_symbol(&object, "MPI_Send"), nullptr);
  object.hash = nothing;
  EXPECT_EQ(cw_object_symbol(&object, "MPI_Send"), nullptr);
}

/// Reads an object whose dynamic section has these entries in addition to its symbols.
cw_object read(std::vector<ElfW(Dyn)> entries) {
  static const ElfW(Sym) symbol = {};
  const auto address = [](const void* at) { return reinterpret_cast<ElfW(Addr)>(at); };
  entries.push_back({DT_SYMTAB, {address(&symbol)}});
  entries.push_back({DT_STRTAB, {address("")}});
  entries.push_back({DT_NULL, {0}});
  ElfW(Phdr) header = {};
  header.p_type = PT_DYNAMIC;
  header.p_vaddr = address(entries.data());
  dl_phdr_info info = {};
  info.dlpi_phdr = &header;
  info.dlpi_phnum = 1;
  cw_object object;
  EXPECT_TRUE(cw_object_read(&info, &object));
  return object;
}

TEST(Objects, RelocationsWithoutAddendsAreLeftOut) {
  const ElfW(Rela) three[3] = {};
  const ElfW(Rel) two[2] = {};
  const auto with = reinterpret_cast<ElfW(Addr)>(three), without = reinterpret_cast<ElfW(Addr)>(two);
  const cw_object both = read({{DT_REL, {without}},
                               {DT_RELSZ, {sizeof two}},
                               {DT_RELA, {with}},
                               {DT_RELASZ, {sizeof three}},
                               {DT_JMPREL, {without}},
                               {DT_PLTRELSZ, {sizeof two}},
                               {DT_PLTREL, {DT_REL}}});
  EXPECT_EQ(both.relocations[0], three);
  EXPECT_EQ(both.n_relocations[0], 3u);
  EXPECT_EQ(both.n_relocations[1], 0u);
  const cw_object rela = read({{DT_PLTREL, {DT_RELA}}, {DT_JMPREL, {with}}, {DT_PLTRELSZ, {sizeof three}}});
  EXPECT_EQ(rela.n_relocations[1], 3u);
}

}  // namespace
}  // namespace corewise
