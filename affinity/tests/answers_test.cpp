/// Plans as they were worked out by hand, and refusals: each question of golden/plans.txt with its answer
/// (CW_UPDATE_GOLDEN=1 writes the answers; read each one).
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "fixtures.hpp"

namespace {

/// The parts of "MACHINE | POLICY | OVERRIDES"; MACHINE is a name in MACHINES, or "DESCRIPTION @ MASK".
std::vector<std::string> parts_of(const std::string& text, const std::string& separator) {
  std::vector<std::string> parts;
  size_t first = 0;
  for (size_t end = 0; end != std::string::npos; first = end + separator.size()) {
    end = text.find(separator, first);
    parts.push_back(text.substr(first, end == std::string::npos ? end : end - first));
  }
  return parts;
}

/// The cpusets of each role, the nearest device and the notes; or the refusal.
std::string answer(const std::string& question) {
  std::vector<std::string> asked = parts_of(question, " | ");
  asked.resize(3);
  std::vector<std::string> described = parts_of(asked[0], " @ ");
  described.resize(2);
  Machine chosen = {"", described[0].c_str(), described[1].c_str()};
  for (const Machine& known : MACHINES) {
    if (asked[0] == known.name) chosen = known;
  }
  const Topology topology = load(chosen);
  Request request(chosen.mask);
  request.options.topology = topology.get();
  request.options.policy = asked[1].c_str();
  request.options.overrides = asked[2].c_str();
  cw_status_t status = CW_OK;
  const Plan plan = request.plan(&status);
  if (plan == nullptr) return std::string(cw_status_string(status)) + ": " + request.message() + "\n";
  std::string text;
  for (const char* role : {"comm_server", "helper", "worker"}) {
    text += std::string(role) + ":";
    for (const std::string& cpuset : cpusets_of(plan, role)) text += " " + cpuset;
    text += "\n";
  }
  std::istringstream printed(print(plan));
  for (std::string line; std::getline(printed, line);) {
    if (line.starts_with("device") || line.starts_with("note")) text += line + "\n";
  }
  return text;
}

TEST(Answers, AreAsInTheFile) {
  const std::string path = std::string(CW_GOLDEN) + "/plans.txt";
  std::ifstream file(path);
  std::string written, found;
  for (std::string line; std::getline(file, line);) {
    written += line + "\n";
    if (line.starts_with("$ ")) found += line + "\n" + answer(line.substr(2));
    if (line.starts_with("# ")) found += line + "\n";
  }
  if (std::getenv("CW_UPDATE_GOLDEN") != nullptr) std::ofstream(path) << found;
  EXPECT_EQ(found, written);
  EXPECT_GT(parts_of(found, "\n$ ").size(), 60U);
}

}  // namespace
