#include "trntensor/plan/json_field.hpp"

#include <fmt/format.h>

#include <cmath>

#include "trntensor/support/error.hpp"

namespace trntensor::plan {

void JsonField::refuse(const std::string& problem) const {
  throw_invalid(fmt::format("the plan's JSON: {} {}", path_.empty() ? "the text" : path_, problem), {},
                "use the output of Plan::to_json unchanged; docs/plan-json.md lists the fields");
}

JsonField JsonField::at(std::string_view key) const {
  if (!value_.is_object()) refuse(fmt::format("is {}, not an object", value_.type_name()));
  const auto found = value_.find(key);
  const std::string path = path_.empty() ? std::string(key) : fmt::format("{}.{}", path_, key);
  if (found == value_.end()) JsonField(value_, path).refuse("is missing");
  return {*found, path};
}

std::vector<JsonField> JsonField::elements() const {
  if (!value_.is_array()) refuse(fmt::format("is {}, not an array", value_.type_name()));
  std::vector<JsonField> fields;
  fields.reserve(value_.size());
  for (std::size_t i = 0; i < value_.size(); ++i) fields.emplace_back(value_[i], fmt::format("{}[{}]", path_, i));
  return fields;
}

std::int64_t JsonField::integer(std::int64_t low, std::int64_t high) const {
  if (!value_.is_number_integer()) refuse(fmt::format("is {}, not a whole number", value_.type_name()));
  const bool too_large = value_.is_number_unsigned() && value_.get<std::uint64_t>() > INT64_MAX;
  const std::int64_t number = too_large ? INT64_MAX : value_.get<std::int64_t>();
  if (too_large || number < low || number > high) {
    refuse(fmt::format("is {}, not in {}..{}", value_.dump(), low, high));
  }
  return number;
}

std::vector<int> JsonField::integers(int low, int high) const {
  std::vector<int> numbers;
  for (const JsonField& field : elements()) numbers.push_back(static_cast<int>(field.integer(low, high)));
  return numbers;
}

double JsonField::number() const {
  if (!value_.is_number()) refuse(fmt::format("is {}, not a number", value_.type_name()));
  const auto number = value_.get<double>();
  if (!std::isfinite(number) || number < 0) refuse(fmt::format("is {}, which is negative or not finite", number));
  return number;
}

bool JsonField::boolean() const {
  if (!value_.is_boolean()) refuse(fmt::format("is {}, not true or false", value_.type_name()));
  return value_.get<bool>();
}

std::string JsonField::text() const {
  if (!value_.is_string()) refuse(fmt::format("is {}, not a text", value_.type_name()));
  return value_.get<std::string>();
}

void JsonField::expect(double expected) const {
  const double found = number();
  if (std::abs(found - expected) > 1e-9 * std::max(std::abs(expected), 1.0)) {
    refuse(fmt::format("is {}, but the steps give {}", found, expected));
  }
}

void JsonField::expect(bool expected) const {
  if (boolean() != expected) refuse(fmt::format("is {}, but the steps give {}", !expected, expected));
}

void JsonField::expect(std::string_view expected) const {
  if (const std::string found = text(); found != expected) {
    refuse(fmt::format("is \"{}\", but the other fields give \"{}\"", found, expected));
  }
}

void JsonField::expect(const std::vector<int>& expected) const {
  if (integers(0, INT32_MAX) != expected) {
    refuse(fmt::format("differs from what the other fields give, [{}]", fmt::join(expected, ", ")));
  }
}

void JsonField::expect(const std::vector<std::vector<int>>& expected) const {
  const std::vector<JsonField> lists = elements();
  if (lists.size() != expected.size()) refuse(fmt::format("has {} entries, not {}", lists.size(), expected.size()));
  for (std::size_t i = 0; i < lists.size(); ++i) lists[i].expect(expected[i]);
}

}  // namespace trntensor::plan
