// Expecting an error of a kind whose message names what is wrong.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "trntensor/support/error.hpp"

namespace trntensor::testing {

/// Calls `function` and expects an Error of `kind` whose message has every fragment.
template <typename Function>
void expect_error(ErrorKind kind, const std::vector<std::string>& fragments, Function&& function) {
  try {
    function();
    ADD_FAILURE() << "no error was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(to_string(error.kind()), to_string(kind)) << error.what();
    for (const std::string& fragment : fragments) {
      EXPECT_NE(std::string(error.what()).find(fragment), std::string::npos)
          << "\"" << fragment << "\" is not in: " << error.what();
    }
  }
}

}  // namespace trntensor::testing
