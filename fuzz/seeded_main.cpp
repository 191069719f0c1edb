// Runs a fuzz target without libFuzzer: every seed file, then a fixed number of mutations of the seeds that are the
// same on every run. An input that crashes is written to a file and named, as libFuzzer would.
#include <fcntl.h>
#include <sanitizer/common_interface_defs.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "trntensor/support/random.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
// Null in a program without a sanitizer's run-time library.
#pragma weak __sanitizer_set_death_callback

namespace {

using Input = std::vector<std::uint8_t>;

constexpr std::uint64_t kSeed = 20240613;
constexpr std::size_t kMaxSize = 1U << 16;

// Globals because signal handlers see nothing else.
const Input* current_input = nullptr;
std::string crash_file;

void write_all(int descriptor, const void* data, std::size_t size) {
  const char* next = static_cast<const char*>(data);
  while (size > 0) {
    const ssize_t written = write(descriptor, next, size);
    if (written <= 0) return;
    next += written;
    size -= static_cast<std::size_t>(written);
  }
}

// Only calls that are safe in a signal handler.
void save_current_input() {
  if (current_input == nullptr) return;
  const int file = open(crash_file.c_str(), O_CREAT | O_TRUNC | O_WRONLY, 0644);
  if (file < 0) return;
  write_all(file, current_input->data(), current_input->size());
  close(file);
  constexpr char kMessage[] = "\nthe input that failed is in ";
  write_all(STDERR_FILENO, kMessage, sizeof kMessage - 1);
  write_all(STDERR_FILENO, crash_file.data(), crash_file.size());
  write_all(STDERR_FILENO, "\n", 1);
  current_input = nullptr;
}

void on_signal(int number) {
  save_current_input();
  std::signal(number, SIG_DFL);
  std::raise(number);
}

void install_handlers() {
  if (__sanitizer_set_death_callback != nullptr) {
    __sanitizer_set_death_callback(save_current_input);
  } else {
    for (const int number : {SIGSEGV, SIGBUS, SIGFPE, SIGILL}) std::signal(number, on_signal);
  }
  std::signal(SIGABRT, on_signal);
}

// noexcept: an exception that leaves the target is a fault, and must be met while the input is still there.
void run(const Input& input) noexcept {
  current_input = &input;
  LLVMFuzzerTestOneInput(input.data(), input.size());
  current_input = nullptr;
}

std::vector<Input> read_seeds(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.is_regular_file()) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  std::vector<Input> seeds;
  for (const auto& file : files) {
    std::ifstream stream(file, std::ios::binary);
    seeds.emplace_back(std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>());
  }
  return seeds;
}

class Mutator {
 public:
  explicit Mutator(const std::vector<Input>& seeds) : seeds_(seeds) {}

  Input next() {
    Input input = any_seed();
    const std::int64_t count = random_.integer(1, 6);
    for (std::int64_t i = 0; i < count; ++i) mutate(input);
    if (input.size() > kMaxSize) input.resize(kMaxSize);
    return input;
  }

 private:
  const Input& any_seed() { return seeds_[index(seeds_.size())]; }
  std::size_t index(std::size_t count) {
    return static_cast<std::size_t>(random_.integer(0, static_cast<std::int64_t>(count) - 1));
  }
  std::uint8_t byte() { return static_cast<std::uint8_t>(random_.integer(0, 255)); }

  void mutate(Input& input) {
    if (input.empty()) {
      input.push_back(byte());
      return;
    }
    const std::size_t at = index(input.size());
    switch (random_.integer(0, 6)) {
      case 0:
        input[at] ^= static_cast<std::uint8_t>(1U << index(8));
        break;
      case 1:
        input[at] = byte();
        break;
      case 2:
        input.insert(input.begin() + static_cast<std::ptrdiff_t>(at), byte());
        break;
      case 3:
        erase(input, at);
        break;
      case 4:
        overwrite_number(input, at);
        break;
      case 5:
        splice(input, at);
        break;
      default:
        input.resize(at);
    }
  }

  void erase(Input& input, std::size_t at) {
    const std::size_t count = std::min(input.size() - at, 1 + index(16));
    const auto first = input.begin() + static_cast<std::ptrdiff_t>(at);
    input.erase(first, first + static_cast<std::ptrdiff_t>(count));
  }

  // Sizes and offsets at the edges of their types are where readers of files go wrong.
  void overwrite_number(Input& input, std::size_t at) {
    constexpr std::array<std::uint64_t, 10> kNumbers{
        0, 1, 0x7f, 0xff, 0x7fff, 0xffff, 0x7fffffff, 0xffffffffU, 0x7fffffffffffffffU, ~std::uint64_t{0}};
    const std::uint64_t number = kNumbers[index(kNumbers.size())];
    const std::size_t width = std::size_t{1} << index(4);
    std::memcpy(input.data() + at, &number, std::min(width, input.size() - at));
  }

  // A piece of another seed in place of what stands here.
  void splice(Input& input, std::size_t at) {
    const Input& other = any_seed();
    if (other.empty()) return;
    const std::size_t from = index(other.size());
    const std::size_t count = std::min(other.size() - from, 1 + index(64));
    input.resize(std::max(input.size(), at + count));
    std::copy_n(other.begin() + static_cast<std::ptrdiff_t>(from), count,
                input.begin() + static_cast<std::ptrdiff_t>(at));
  }

  const std::vector<Input>& seeds_;
  trntensor::Random random_{kSeed};
};

int run_all(const std::filesystem::path& folder, long count) {
  const std::vector<Input> seeds = read_seeds(folder);
  if (seeds.empty()) {
    std::fprintf(stderr, "no seed files in %s\n", folder.c_str());
    return 1;
  }
  for (const Input& seed : seeds) run(seed);
  Mutator mutator(seeds);
  for (long i = 0; i < count; ++i) run(mutator.next());
  std::printf("%zu seeds and %ld mutations (seed %llu): no fault\n", seeds.size(), count,
              static_cast<unsigned long long>(kSeed));
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: %s SEED_FOLDER MUTATIONS | FILE 0\n", argv[0]);
    return 2;
  }
  crash_file = std::filesystem::path(argv[0]).filename().string() + ".crash";
  install_handlers();
  try {
    if (std::filesystem::is_regular_file(argv[1])) {
      std::ifstream stream(argv[1], std::ios::binary);
      run(Input(std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()));
      return 0;
    }
    return run_all(argv[1], std::strtol(argv[2], nullptr, 10));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
