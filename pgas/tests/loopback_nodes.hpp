// Runs a test's root task on 1, 2 and 4 nodes in this process, with one thread per node and with several.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "corewise/pgas/pgas.hpp"

/// Number of nodes, and of threads on each node.
struct Setting {
  int nodes;
  int workers;
  int helpers;
};

inline corewise::pgas::Options options_for(Setting setting) {
  corewise::pgas::Options options;
  options.loopback_nodes = setting.nodes;
  options.workers = setting.workers;
  options.helpers = setting.helpers;
  return options;
}

inline std::string name_of(const testing::TestParamInfo<Setting>& info) {
  const auto& [nodes, workers, helpers] = info.param;
  return std::to_string(nodes) + "nodes_" + std::to_string(workers) + "workers_" + std::to_string(helpers) +
         "helpers";
}

/// TEST_P(Suite, ...) of a derived suite runs once for each setting in CW_ON_LOOPBACK.
class OnLoopback : public testing::TestWithParam<Setting> {
 protected:
  void run(const std::function<void()>& root) { corewise::pgas::run_loopback(options_for(GetParam()), root); }
};

#define CW_ON_LOOPBACK(suite)                                                                     \
  INSTANTIATE_TEST_SUITE_P(Loopback, suite,                                                       \
                           testing::Values(Setting{1, 0, 0}, Setting{1, 1, 0}, Setting{2, 0, 0},  \
                                           Setting{2, 1, 1}, Setting{2, 2, 0}, Setting{4, 1, 0}), \
                           name_of)
