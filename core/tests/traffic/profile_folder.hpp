/// A fixture with a temporary folder for tests that build profile files and read them.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <string>

#include "corewise/profile.hpp"
#include "profile_builder.hpp"
#include "refusal.hpp"

namespace corewise {

class ProfileFolder : public testing::Test {
 protected:
  void SetUp() override {
    const testing::TestInfo& test = *testing::UnitTest::GetInstance()->current_test_info();
    directory_ = testing::TempDir() + "/cw_" + test.test_suite_name() + "_" + test.name() + "_" +
                 std::to_string(getpid());
    std::filesystem::remove_all(directory_);
  }
  void TearDown() override { std::filesystem::remove_all(directory_); }

  [[nodiscard]] Profile read(const HandMadeFile& file) const {
    file.write(directory_);
    return Profile::read(directory_);
  }

  [[nodiscard]] std::string why_refused() const {
    return refusal_of([&] { (void)Profile::read(directory_); });
  }

  std::string directory_;
};

}  // namespace corewise
