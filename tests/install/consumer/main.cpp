// A user's program, built outside the source tree against the installed package.
#include <cstdio>
#include <cstring>
#include <trntensor/support/error.hpp>
#include <trntensor/version.hpp>

int main(int argc, char** argv) {
  if (argc != 2 || std::strcmp(argv[1], TRNTENSOR_VERSION) != 0) {
    std::fprintf(stderr, "the headers are of version %s\n", TRNTENSOR_VERSION);
    return 1;
  }
  try {
    trntensor::throw_invalid("what", "where", "fix");
  } catch (const trntensor::Error& error) {
    return std::strstr(error.what(), "fix: fix") != nullptr ? 0 : 1;
  }
  return 1;
}
