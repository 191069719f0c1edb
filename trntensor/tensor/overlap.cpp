// Whether two strided tensors share a byte: a bounded linear Diophantine problem, searched depth first.
#include <algorithm>
#include <bit>
#include <numeric>
#include <vector>

#include "trntensor/tensor/layout.hpp"

namespace trntensor {
namespace {

__extension__ using Wide = __int128;  // sums of two address ranges leave 64 bits

// c * x with 0 <= x <= limit, and what the terms after it can add.
struct Term {
  std::int64_t coefficient;
  std::int64_t limit;
  Wide rest_max = 0;
  std::int64_t rest_gcd = 0;
};

constexpr int kMaxNodes = 200'000;

Wide ceil_divide(Wide a, std::int64_t b) noexcept { return a >= 0 ? (a + b - 1) / b : -(-a / b); }
Wide floor_divide(Wide a, std::int64_t b) noexcept { return a >= 0 ? a / b : -((-a + b - 1) / b); }

// Is there an x with sum of coefficient * x in [low, high]? `nodes` counts the work down; at 0 the answer is yes.
bool reachable(std::span<const Term> terms, Wide low, Wide high, int& nodes) {
  if (terms.empty()) return low <= 0 && high >= 0;
  const Term& term = terms.front();
  Wide first = std::max<Wide>(0, ceil_divide(low - term.rest_max, term.coefficient));
  const Wide last = std::min<Wide>(term.limit, floor_divide(high, term.coefficient));
  for (; first <= last; ++first) {
    if (--nodes <= 0) return true;
    const Wide rest_low = std::max<Wide>(0, low - first * term.coefficient);
    const Wide rest_high = std::min<Wide>(term.rest_max, high - first * term.coefficient);
    const bool has_multiple = term.rest_gcd == 0
                                  ? rest_low <= 0 && rest_high >= 0
                                  : ceil_divide(rest_low, term.rest_gcd) <= floor_divide(rest_high, term.rest_gcd);
    if (has_multiple && reachable(terms.subspan(1), rest_low, rest_high, nodes)) return true;
  }
  return false;
}

// Byte range of a layout, and its axes as terms; strides that run backwards are turned round.
struct Footprint {
  std::int64_t first = 0;  ///< address of the lowest element
  Wide extent = 0;         ///< from there to the highest element
};

Footprint add_terms(const std::byte* base, std::size_t item, const Layout& layout, std::vector<Term>& terms) {
  const auto bytes = static_cast<std::int64_t>(item);
  Footprint footprint{static_cast<std::int64_t>(std::bit_cast<std::uintptr_t>(base)) + layout.offset * bytes, 0};
  for (std::size_t axis = 0; axis < layout.shape.size(); ++axis) {
    const std::int64_t limit = layout.shape[axis] - 1;
    if (limit == 0 || layout.strides[axis] == 0) continue;
    const std::int64_t step = layout.strides[axis] * bytes;
    if (step < 0) footprint.first += limit * step;
    const std::int64_t coefficient = step < 0 ? -step : step;
    footprint.extent += Wide{limit} * coefficient;
    terms.push_back({coefficient, limit});
  }
  return footprint;
}

// Largest coefficient first, equal ones joined, divided by `unit`; then the sums and divisors of the tails.
void prepare(std::vector<Term>& terms, std::int64_t unit) {
  std::ranges::sort(terms, std::greater{}, &Term::coefficient);
  std::size_t kept = 0;
  for (std::size_t i = 0; i < terms.size(); ++i) {
    if (kept > 0 && terms[kept - 1].coefficient == terms[i].coefficient) {
      terms[kept - 1].limit += terms[i].limit;
    } else {
      terms[kept++] = terms[i];
    }
  }
  terms.resize(kept);
  Wide sum = 0;
  std::int64_t divisor = 0;
  for (std::size_t i = kept; i-- > 0;) {
    terms[i].coefficient /= unit;
    terms[i].rest_max = sum;
    terms[i].rest_gcd = divisor;
    sum += Wide{terms[i].coefficient} * terms[i].limit;
    divisor = std::gcd(divisor, terms[i].coefficient);
  }
}

bool has_no_elements(const Layout& layout) { return std::ranges::find(layout.shape, 0) != layout.shape.end(); }

}  // namespace

bool may_overlap(const std::byte* a, std::size_t a_item, const Layout& a_layout, const std::byte* b, std::size_t b_item,
                 const Layout& b_layout) {
  if (has_no_elements(a_layout) || has_no_elements(b_layout)) return false;
  std::vector<Term> terms;
  const Footprint fa = add_terms(a, a_item, a_layout, terms);
  const Footprint fb = add_terms(b, b_item, b_layout, terms);
  const auto a_bytes = static_cast<std::int64_t>(a_item);
  const auto b_bytes = static_cast<std::int64_t>(b_item);
  if (fa.first + fa.extent + a_bytes <= fb.first || fb.first + fb.extent + b_bytes <= fa.first) return false;
  // Element positions pa = fa.first + u and pb = fb.first + fb.extent - v, u and v sums of terms, share a byte when
  // -a_bytes < pa - pb < b_bytes. All steps are multiples of `unit`, so u + v need only be sought in units of it.
  std::int64_t unit = 0;
  for (const Term& term : terms) unit = std::gcd(unit, term.coefficient);
  if (unit == 0) unit = 1;
  const Wide target = Wide{fb.first} + fb.extent - fa.first;
  const Wide low = ceil_divide(target - a_bytes + 1, unit);
  const Wide high = floor_divide(target + b_bytes - 1, unit);
  if (low > high) return false;
  prepare(terms, unit);
  int nodes = kMaxNodes;
  return reachable(terms, low, high, nodes);
}

}  // namespace trntensor
