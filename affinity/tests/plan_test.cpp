/// Creation of plans: roles, thread counts, masks, invalid options, callers with an older header.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fixtures.hpp"

using testing::ElementsAre;

namespace {

std::string refused(Request& request, cw_status_t expected = CW_ERR_ARGUMENT) {
  cw_status_t status = CW_OK;
  EXPECT_EQ(request.plan(&status), nullptr);
  EXPECT_EQ(status, expected) << request.message();
  return request.message();
}

TEST(Roles, TheCallersOwnAreNumberedInTheirOrder) {
  const cw_role_t roles[] = {
      {"progress", CW_DUTY_NETWORK, 1}, {"io", CW_DUTY_SERVICE, 2}, {"task", CW_DUTY_COMPUTE, 3}};
  Request request;
  request.options.synthetic = "pack:2 [numa] l3:1 core:4 pu:1";
  request.options.roles = roles;
  request.options.n_roles = 3;
  const Plan plan = request.plan();
  ASSERT_EQ(cw_thread_plan_size(plan.get()), 6U);
  EXPECT_THAT(cpusets_of(plan, "progress"), ElementsAre("0"));
  EXPECT_THAT(cpusets_of(plan, "io"), ElementsAre("1", "2"));
  EXPECT_THAT(cpusets_of(plan, "task"), ElementsAre("3", "4", "5"));
  const char* role = nullptr;
  size_t index = 0;
  ASSERT_EQ(cw_thread_plan_role(plan.get(), 2, &role, &index), CW_OK);
  EXPECT_STREQ(role, "io");
  EXPECT_EQ(index, 1U);
  EXPECT_EQ(cw_thread_plan_role(plan.get(), 6, &role, &index), CW_ERR_RANGE);
}

TEST(Roles, TwoComputeRolesDivideTheRest) {
  const cw_role_t roles[] = {{"a", CW_DUTY_COMPUTE, CW_COUNT_DEFAULT},
                             {"b", CW_DUTY_COMPUTE, CW_COUNT_DEFAULT}};
  Request request;
  request.options.synthetic = "core:5 pu:1";
  request.options.roles = roles;
  request.options.n_roles = 2;
  const Plan plan = request.plan();
  EXPECT_EQ(cpusets_of(plan, "a").size(), 3U);
  EXPECT_EQ(cpusets_of(plan, "b").size(), 2U);
}

TEST(Roles, UnknownOnesAreOutOfRange) {
  const Plan plan = plan_on(machine("desktop"), "topology");
  size_t number = 77;
  EXPECT_EQ(cw_thread_plan_count(plan.get(), "painter", &number), CW_ERR_RANGE);
  EXPECT_EQ(cw_thread_plan_find(plan.get(), "worker", 999, &number), CW_ERR_RANGE);
  EXPECT_EQ(number, 77U) << "written on success only";
}

TEST(Options, AreRefusedWithASentence) {
  Request policy;
  policy.options.policy = "topologie";
  EXPECT_EQ(refused(policy), "there is no policy 'topologie'; there are " + policy_list());
  Request rank;
  rank.options.local_rank = 2;
  rank.options.local_size = 2;
  EXPECT_EQ(refused(rank), "local_rank is 2 of 2; ranks count from 0");
  Request machines;
  machines.options.synthetic = "core:2 pu:1";
  machines.options.xml_path = "a.xml";
  EXPECT_EQ(refused(machines), "2 of topology, xml_path and synthetic are set; at most one may be");
  Request mask("64-127");
  mask.options.synthetic = "core:2 pu:1";
  EXPECT_EQ(refused(mask), "no PU of the mask is online and allowed on this machine");
  Request file;
  file.options.xml_path = "no-such-file.xml";
  EXPECT_EQ(refused(file, CW_ERR_TOPOLOGY), "hwloc could not read 'no-such-file.xml': does lstopo show it?");
}

TEST(Options, RolesAreCheckedOneByOne) {
  const struct {
    cw_role_t role;
    const char* said;
  } cases[] = {
      {{"", CW_DUTY_COMPUTE, 1}, "role 0 is named ''; a name has letters, digits and _, and is no setting"},
      {{nullptr, CW_DUTY_COMPUTE, 1},
       "role 0 is named ''; a name has letters, digits and _, and is no setting"},
      {{"mask", CW_DUTY_COMPUTE, 1},
       "role 0 is named 'mask'; a name has letters, digits and _, and is no setting"},
      {{"a", CW_DUTY_COMPUTE, -2}, "role 'a' has -2 threads; 0 to 65536, or CW_COUNT_DEFAULT, are valid"},
  };
  for (const auto& wrong : cases) {
    Request request;
    request.options.roles = &wrong.role;
    request.options.n_roles = 1;
    EXPECT_EQ(refused(request), wrong.said);
  }
}

TEST(Options, AnOlderAndShorterStructStillWorks) {
  Request request;
  request.options.policy = "default";
  request.options.memory = CW_MEMORY_LOCAL;
  request.options.size = offsetof(cw_thread_plan_options_t, memory);  // header without `memory`
  const Plan plan = request.plan();
  hwloc_const_bitmap_t nodes = nullptr;
  ASSERT_EQ(cw_thread_plan_nodeset(plan.get(), 0, &nodes), CW_OK);
  EXPECT_EQ(nodes, nullptr);
}

TEST(Options, AStructWithoutAMessageGetsNone) {
  Request request;
  request.options.policy = "topologie";
  request.options.size = offsetof(cw_thread_plan_options_t, message);
  EXPECT_EQ(refused(request), "");
}

TEST(Status, EveryOneHasWords) {
  for (int status = CW_OK; status <= CW_ERR_NO_MEMORY; ++status)
    EXPECT_STRNE(cw_status_string(static_cast<cw_status_t>(status)), "unknown status");
}

}  // namespace
