// One extent per label, with broadcasting of 1 between operands.
#include <fmt/format.h>

#include "trntensor/einsum/diagnostics.hpp"
#include "trntensor/einsum/resolve.hpp"

namespace trntensor::notation {
namespace {

constexpr std::size_t kNowhere = static_cast<std::size_t>(-1);

struct Place {
  std::size_t operand = kNowhere;
  std::size_t axis = 0;
};

class ExtentSolver {
 public:
  ExtentSolver(const Notation& notation, std::span<const Shape> shapes, Spec& spec)
      : notation_(notation), shapes_(shapes), spec_(spec), decided_(spec.names.size()), last_(spec.names.size()) {
    spec_.extents.assign(spec.names.size(), 1);
  }

  void run() {
    for (std::size_t operand = 0; operand < shapes_.size(); ++operand) {
      for (std::size_t axis = 0; axis < shapes_[operand].size(); ++axis) meet({operand, axis});
    }
    last_.assign(last_.size(), Place{});
    spec_.broadcast.reserve(shapes_.size());
    spec_.inputs.reserve(shapes_.size());
    for (std::size_t operand = 0; operand < shapes_.size(); ++operand) mark_broadcast(operand);
  }

 private:
  [[nodiscard]] std::size_t label_at(Place place) const {
    return static_cast<std::size_t>(spec_.axes[place.operand][place.axis]);
  }
  [[nodiscard]] std::int64_t extent_at(Place place) const { return shapes_[place.operand][place.axis]; }

  // An axis of extent 1 leaves the label's extent to others; the first other extent decides it.
  void meet(Place place) {
    const std::size_t label = label_at(place);
    const std::int64_t extent = extent_at(place);
    if (last_[label].operand == place.operand && extent_at(last_[label]) != extent) refuse_diagonal(place);
    last_[label] = place;
    if (extent == 1 || extent == spec_.extents[label]) return;
    if (decided_[label].operand != kNowhere) refuse_clash(place);
    decided_[label] = place;
    spec_.extents[label] = extent;
  }

  void mark_broadcast(std::size_t operand) {
    std::vector<bool> broadcast(shapes_[operand].size(), false);
    Labels inputs;
    for (std::size_t axis = 0; axis < broadcast.size(); ++axis) {
      const std::size_t label = label_at({operand, axis});
      broadcast[axis] = shapes_[operand][axis] != spec_.extents[label];
      if (!broadcast[axis] && last_[label].operand != operand) inputs.push_back(static_cast<Label>(label));
      last_[label] = {operand, axis};
    }
    spec_.broadcast.push_back(std::move(broadcast));
    spec_.inputs.push_back(std::move(inputs));
  }

  [[noreturn]] void refuse_diagonal(Place place) const {
    const Place first = last_[label_at(place)];
    refuse(place,
           fmt::format("{} is repeated in operand {} with the extents {} (axis {}) and {} (axis {})",
                       mention(notation_, spec_.names[label_at(place)]), place.operand, extent_at(first), first.axis,
                       extent_at(place), place.axis),
           fmt::format("a diagonal needs equal extents (1 does not broadcast within an operand); the shape is {}",
                       format_shape(shapes_[place.operand])));
  }

  [[noreturn]] void refuse_clash(Place place) const {
    const Place first = decided_[label_at(place)];
    refuse(place,
           fmt::format("{} has extent {} in operand {} (axis {}) but {} in operand {} (axis {})",
                       mention(notation_, spec_.names[label_at(place)]), extent_at(first), first.operand, first.axis,
                       extent_at(place), place.operand, place.axis),
           fmt::format("use another label on one of the axes, or check the shapes {} and {}; only 1 broadcasts",
                       format_shape(shapes_[first.operand]), format_shape(shapes_[place.operand])));
  }

  [[noreturn]] void refuse(Place place, const std::string& what, const std::string& fix) const {
    const Symbol& culprit = symbol_of_axis(notation_.inputs[place.operand], place.axis, shapes_[place.operand].size());
    throw_at(notation_.text, culprit.span, what, fix);
  }

  const Notation& notation_;
  std::span<const Shape> shapes_;
  Spec& spec_;
  std::vector<Place> decided_;  // per label: the axis that gave it its extent
  std::vector<Place> last_;     // per label: the axis where it was met last
};

}  // namespace

void set_extents(const Notation& notation, std::span<const Shape> shapes, Spec& spec) {
  ExtentSolver(notation, shapes, spec).run();
}

}  // namespace trntensor::notation
