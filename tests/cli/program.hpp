// Runs the program under test and looks at what it says.
#pragma once

#include <gtest/gtest.h>
#include <sys/types.h>

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "trntensor/tensor/tensor.hpp"

namespace trntensor::testing {

struct Outcome {
  int exit_code = 0;  ///< 128 + signal when a signal ended the program, as shells say
  std::string out;
  std::string err;

  /// stdout as one JSON object; a failure of the test when it is none.
  [[nodiscard]] nlohmann::ordered_json json() const;
};

using Environment = std::map<std::string, std::string>;

enum class ErrorStream : std::uint8_t { kFile, kTerminal };

/// A run that has begun. Its folder for stdout and stderr must exist until `wait`.
class Running {
 public:
  Running(const std::filesystem::path& folder, const std::vector<std::string>& arguments,
          const Environment& environment = {}, ErrorStream stream = ErrorStream::kFile);
  ~Running();
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;

  void send(int signal) const;
  Outcome wait();

 private:
  std::filesystem::path folder_;
  int terminal_ = -1;  ///< our side of the program's terminal
  pid_t process_ = -1;
};

/// Tests with a folder of their own, which is the current one of the program; it is removed afterwards.
class ProgramTest : public ::testing::Test {
 protected:
  void SetUp() override;
  void TearDown() override;

  Outcome run(const std::vector<std::string>& arguments, const Environment& environment = {});

  /// Expects exit code 2, nothing on stdout, and every fragment on stderr behind "trntensor: error: ".
  void expect_refused(const std::vector<std::string>& arguments, const std::vector<std::string>& fragments,
                      const Environment& environment = {});

  /// Writes NAME.npy and returns the name with its extension.
  std::string save(const std::string& name, const Tensor& tensor);
  [[nodiscard]] std::filesystem::path path(const std::string& name) const { return folder_ / name; }

  std::filesystem::path folder_;
};

/// The keys of an object, in order.
std::vector<std::string> keys(const nlohmann::ordered_json& object);

}  // namespace trntensor::testing
