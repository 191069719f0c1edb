// A value inside a JSON text that knows where it stands, so that every complaint names its field.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace trntensor::plan {

/// Refers to a value of a JSON document that must outlive it. Reading throws InvalidArgument naming the field.
class JsonField {
 public:
  JsonField(const nlohmann::json& value, std::string path) : value_(value), path_(std::move(path)) {}

  /// "steps[1].macs".
  [[nodiscard]] const std::string& path() const noexcept { return path_; }

  /// The member of an object.
  [[nodiscard]] JsonField at(std::string_view key) const;

  /// The elements of an array.
  [[nodiscard]] std::vector<JsonField> elements() const;

  [[nodiscard]] std::int64_t integer(std::int64_t low, std::int64_t high) const;
  [[nodiscard]] std::vector<int> integers(int low, int high) const;  ///< of an array
  [[nodiscard]] double number() const;                               ///< finite and not negative
  [[nodiscard]] bool boolean() const;
  [[nodiscard]] bool is_null() const noexcept { return value_.is_null(); }
  [[nodiscard]] std::string text() const;

  /// Throws InvalidArgument: "<path> <problem>".
  [[noreturn]] void refuse(const std::string& problem) const;

  /// Throws when the value is not the one that follows from the rest of the document. Numbers may differ by 1e-9 of
  /// their size.
  void expect(double expected) const;
  void expect(bool expected) const;
  void expect(std::string_view expected) const;
  void expect(const std::vector<int>& expected) const;
  void expect(const std::vector<std::vector<int>>& expected) const;

 private:
  const nlohmann::json& value_;
  std::string path_;
};

}  // namespace trntensor::plan
