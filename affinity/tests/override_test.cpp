/// The overrides: each setting, each error message, and random texts.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <random>

#include "fixtures.hpp"

using testing::ElementsAre;

namespace {

constexpr const char* TWO_PACKAGES = "pack:2 [numa] l3:1 core:4 pu:2(indexes=2*8:1*2)";

TEST(Override, EverySettingWinsOverTheOptions) {
  Request request("0-1");
  request.options.synthetic = TWO_PACKAGES;
  request.options.policy = "default";
  request.options.overrides =
      " policy = topology ; mask=4-7,12; part=1/2; memory=local; workers=1; helper=0 "
      ";comm_servers=1;stride=3;";
  const Plan plan = request.plan();
  EXPECT_THAT(cpusets_of(plan, "comm_server"),
              ElementsAre("6"));  // cores 4-7 of the mask, second half: 6 and 7
  EXPECT_THAT(cpusets_of(plan, "worker"), ElementsAre("7"));
  hwloc_const_bitmap_t nodes = nullptr;
  ASSERT_EQ(cw_thread_plan_nodeset(plan.get(), 0, &nodes), CW_OK);
  EXPECT_EQ(list_of(nodes), "1");
}

TEST(Override, AnEmptyOneChangesNothing) {
  for (const char* text : {"", " ", ";;", " ; "})
    EXPECT_EQ(print(plan_on(machine("desktop"), "topology", text)),
              print(plan_on(machine("desktop"), "topology")))
        << text;
}

TEST(Override, ACallersRoleIsSetByItsName) {
  const cw_role_t roles[] = {{"task", CW_DUTY_COMPUTE, 1}, {"tasks", CW_DUTY_COMPUTE, 1}};
  Request request;
  request.options.synthetic = TWO_PACKAGES;
  request.options.roles = roles;
  request.options.n_roles = 2;
  request.options.overrides = "tasks=3;task=2";
  const Plan plan = request.plan();
  EXPECT_EQ(cpusets_of(plan, "task").size(), 2U);
  EXPECT_EQ(cpusets_of(plan, "tasks").size(), 3U);
}

TEST(Override, TheEnvironmentIsReadByOneFunctionOnly) {
  setenv("COREWISE_AFFINITY", "policy=nonsense", 1);
  EXPECT_STREQ(cw_affinity_environment(), "policy=nonsense");
  Request request;
  request.options.synthetic = TWO_PACKAGES;
  EXPECT_NE(request.plan(), nullptr) << "not asked for, not read";
  unsetenv("COREWISE_AFFINITY");
  EXPECT_EQ(cw_affinity_environment(), nullptr);
}

// Joins fragments of valid and invalid settings at random. Each text gives a plan or an error message.
TEST(Override, RandomTextsGiveAPlanOrASentence) {
  const char* const pieces[] = {
      "policy", "mask",  "part",   "workers", "helper", "=",        "=",      ";",           ";",   "0",
      "1",      "7",     "-",      ",",       "/",      "pin",      " ",      "s",           "ü",   "%s",
      "\n",     "local", "memory", "0-3",     "1/2",    "topology", "stride", "99999999999", "=4;", "\x01"};
  std::mt19937 random(1);
  size_t n_plans = 0;
  for (int round = 0; round < 1000; ++round) {
    std::string text;
    for (unsigned length = random() % 9; length > 0; --length) text += pieces[random() % std::size(pieces)];
    Request request;
    request.options.synthetic = "core:4 pu:1";
    request.options.overrides = text.c_str();
    cw_status_t status = CW_OK;
    const Plan plan = request.plan(&status);
    EXPECT_EQ(plan != nullptr, status == CW_OK) << text;
    EXPECT_EQ(request.message().empty(), status == CW_OK) << text;
    n_plans += plan != nullptr;
  }
  EXPECT_GT(n_plans, 20U);
}

}  // namespace
