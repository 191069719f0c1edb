#include "tests/cli/program.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>
#include <iterator>

#include "trntensor/tensor/files.hpp"

namespace trntensor::testing {
namespace {

namespace fs = std::filesystem;

/// Empty for what is no file, such as a device.
std::string read_file(const fs::path& path) {
  if (!fs::is_regular_file(path)) return {};
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

/// Ours without TRNTENSOR_* and with `changes`; the pointers live as long as the strings.
std::vector<std::string> environment_with(const Environment& changes) {
  std::vector<std::string> assignments;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string assignment(*entry);
    if (!assignment.starts_with("TRNTENSOR_")) assignments.push_back(assignment);
  }
  for (const auto& [name, value] : changes) assignments.push_back(fmt::format("{}={}", name, value));
  return assignments;
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> result;
  for (std::string& text : texts) result.push_back(text.data());
  result.push_back(nullptr);
  return result;
}

/// Our side of a new terminal.
int open_terminal() {
  const int terminal = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
  EXPECT_TRUE(terminal >= 0 && grantpt(terminal) == 0 && unlockpt(terminal) == 0);
  return terminal;
}

/// What the program wrote to its terminal; the read fails once it has been read and the other side is closed.
std::string read_terminal(int terminal) {
  std::string text;
  std::array<char, 4096> buffer{};
  for (ssize_t count = 0; (count = read(terminal, buffer.data(), buffer.size())) > 0;) {
    text.append(buffer.data(), static_cast<std::size_t>(count));
  }
  return text;
}

}  // namespace

nlohmann::ordered_json Outcome::json() const {
  const auto parsed = nlohmann::ordered_json::parse(out, nullptr, false);
  EXPECT_TRUE(parsed.is_object()) << "not one JSON object: " << out << err;
  return parsed;
}

Running::Running(const fs::path& folder, const std::vector<std::string>& arguments, const Environment& environment,
                 ErrorStream stream)
    : folder_(folder), terminal_(stream == ErrorStream::kTerminal ? open_terminal() : -1) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  constexpr int kFlags = O_WRONLY | O_CREAT | O_TRUNC;
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, (folder / "stdout").c_str(), kFlags, 0600);
  const std::string errors = terminal_ >= 0 ? std::string(ptsname(terminal_)) : (folder / "stderr").string();
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, errors.c_str(), kFlags | O_NOCTTY, 0600);
  posix_spawn_file_actions_addchdir_np(&actions, folder.c_str());
  // Whoever runs the tests may have SIGINT ignored or blocked; the program must not inherit that.
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
  sigset_t interrupt;
  sigemptyset(&interrupt);
  posix_spawnattr_setsigmask(&attributes, &interrupt);
  sigaddset(&interrupt, SIGINT);
  posix_spawnattr_setsigdefault(&attributes, &interrupt);

  std::vector<std::string> words = {TRNTENSOR_PROGRAM};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<std::string> variables = environment_with(environment);
  const int status = posix_spawn(&process_, TRNTENSOR_PROGRAM, &actions, &attributes, pointers(words).data(),
                                 pointers(variables).data());
  EXPECT_EQ(status, 0) << "cannot start " << TRNTENSOR_PROGRAM;
  if (status != 0) process_ = -1;
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
}

Running::~Running() {
  if (terminal_ >= 0) close(terminal_);
  if (process_ < 0) return;
  kill(process_, SIGKILL);
  waitpid(process_, nullptr, 0);
}

void Running::send(int signal) const {
  if (process_ >= 0) kill(process_, signal);
}

Outcome Running::wait() {
  int status = 0;
  if (process_ < 0 || waitpid(process_, &status, 0) != process_) return {-1, {}, "the program did not run"};
  process_ = -1;
  const int code = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  return {code, read_file(folder_ / "stdout"),
          terminal_ >= 0 ? read_terminal(terminal_) : read_file(folder_ / "stderr")};
}

void ProgramTest::SetUp() {
  std::string name = (fs::path(::testing::TempDir()) / "trntensor-cli-XXXXXX").string();
  ASSERT_NE(mkdtemp(name.data()), nullptr);
  folder_ = name;
}

void ProgramTest::TearDown() {
  if (!folder_.empty()) fs::remove_all(folder_);
}

Outcome ProgramTest::run(const std::vector<std::string>& arguments, const Environment& environment) {
  return Running(folder_, arguments, environment).wait();
}

void ProgramTest::expect_refused(const std::vector<std::string>& arguments, const std::vector<std::string>& fragments,
                                 const Environment& environment) {
  const Outcome outcome = run(arguments, environment);
  EXPECT_EQ(outcome.exit_code, 2) << outcome.err;
  EXPECT_EQ(outcome.out, "");
  EXPECT_TRUE(outcome.err.starts_with("trntensor: error: ")) << outcome.err;
  for (const std::string& fragment : fragments) {
    EXPECT_NE(outcome.err.find(fragment), std::string::npos) << "\"" << fragment << "\" is not in: " << outcome.err;
  }
}

std::string ProgramTest::save(const std::string& name, const Tensor& tensor) {
  save_tensor(path(name + ".npy"), tensor);
  return name + ".npy";
}

std::vector<std::string> keys(const nlohmann::ordered_json& object) {
  std::vector<std::string> names;
  for (const auto& [name, value] : object.items()) names.push_back(name);
  return names;
}

}  // namespace trntensor::testing
