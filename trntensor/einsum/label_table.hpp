// Ids of symbols (code points or numbers) to dense labels.
#pragma once

#include <array>
#include <cstdint>
#include <unordered_map>

#include "trntensor/einsum/spec.hpp"

namespace trntensor::notation {

/// Small ids, which is to say ASCII letters and ordinary numbers, are found without hashing.
class LabelTable {
 public:
  static constexpr Label kNone = -1;

  LabelTable() { small_.fill(kNone); }

  /// The label of an id, or kNone.
  [[nodiscard]] Label find(std::int64_t id) const {
    if (is_small(id)) return small_[static_cast<std::size_t>(id)];
    const auto found = large_.find(id);
    return found == large_.end() ? kNone : found->second;
  }

  void set(std::int64_t id, Label label) {
    if (is_small(id)) {
      small_[static_cast<std::size_t>(id)] = label;
    } else {
      large_[id] = label;
    }
  }

 private:
  static constexpr std::int64_t kSmall = 128;
  static bool is_small(std::int64_t id) noexcept { return id >= 0 && id < kSmall; }

  std::array<Label, kSmall> small_{};
  std::unordered_map<std::int64_t, Label> large_;
};

}  // namespace trntensor::notation
