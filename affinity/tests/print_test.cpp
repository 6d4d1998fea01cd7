/// Printed plans: text compared with golden files (CW_UPDATE_GOLDEN=1 rewrites them), JSON, small buffers.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "fixtures.hpp"

namespace {

struct Golden {
  const char *file, *machine, *policy, *overrides;
};

class Printed : public testing::TestWithParam<Golden> {};

TEST_P(Printed, IsAsInTheFile) {
  const Golden& golden = GetParam();
  const std::string path = std::string(CW_GOLDEN) + "/" + golden.file + ".txt";
  const std::string text = print(plan_on(machine(golden.machine), golden.policy, golden.overrides));
  if (std::getenv("CW_UPDATE_GOLDEN") != nullptr) std::ofstream(path) << text;
  std::stringstream expected;
  expected << std::ifstream(path).rdbuf();
  EXPECT_EQ(text, expected.str());
}

INSTANTIATE_TEST_SUITE_P(
    Machines, Printed,
    testing::Values(Golden{"devcluster-topology", "devcluster", "topology", ""},
                    Golden{"deception-balanced-half", "deception", "balanced", "part=1/2"},
                    Golden{"perlmutter-topology-domain", "perlmutter", "new_pin", "part=2/8;memory=local"},
                    Golden{"perlmutter-singlified-domain", "perlmutter", "singlified", "part=5/8;workers=2"}),
    [](const auto& info) {
      std::string name = info.param.file;
      for (char& letter : name) letter = letter == '-' ? '_' : letter;
      return name;
    });

TEST(Json, HoldsTheSameFacts) {
  const Plan plan = plan_on(machine("two_cores"), "topology", "workers=1;helpers=0;memory=local");
  EXPECT_EQ(
      print(plan, CW_FORMAT_JSON),
      "{\"policy\": \"topology\", \"mask\": \"0-1\", \"n_cores\": 2, \"n_pus\": 2, \"device\": null, "
      "\"near\": null, \"notes\": [\"no physical network card is known: the first core is used\"], "
      "\"roles\": [{\"name\": \"worker\", \"count\": 1, \"by_default\": false}, "
      "{\"name\": \"helper\", \"count\": 0, \"by_default\": false}, "
      "{\"name\": \"comm_server\", \"count\": 1, \"by_default\": true}], "
      "\"threads\": [{\"role\": \"worker\", \"index\": 0, \"cpuset\": \"1\", \"core\": 1, \"l3\": null, "
      "\"numa\": 0, "
      "\"package\": null, \"memory\": \"0\"}, "
      "{\"role\": \"comm_server\", \"index\": 0, \"cpuset\": \"0\", \"core\": 0, \"l3\": null, \"numa\": 0, "
      "\"package\": null, \"memory\": \"0\"}]}");
}

TEST(Print, CutsOffAtTheEndOfASmallBuffer) {
  const Plan plan = plan_on(machine("two_cores"), "default");
  char small[8] = "-------";
  size_t needed = 0;
  EXPECT_EQ(cw_thread_plan_print(plan.get(), CW_FORMAT_TEXT, small, sizeof small, &needed), CW_OK);
  EXPECT_STREQ(small, "policy ");
  EXPECT_EQ(needed, print(plan).size());
  EXPECT_EQ(cw_thread_plan_print(plan.get(), static_cast<cw_format_t>(2), nullptr, 0, nullptr),
            CW_ERR_ARGUMENT);
}

}  // namespace
