#include "trntensor/host/epilogue_turns.hpp"

#include <algorithm>

namespace trntensor::host {
namespace {

/// Places of a sum share so many queues: a fixed amount of memory, and few that wait without need.
constexpr std::int64_t kQueues = 4096;

}  // namespace

SumTurns::SumTurns(const EpiloguePlan& plan, const BlockTiles& tiles) : plan_(plan), tiles_(tiles) {
  is_needed_ = std::any_of(plan.sums.begin(), plan.sums.end(), [](const BlockSum& sum) { return sum.takes_turns; });
  const std::size_t queues = is_needed_ ? plan.sums.size() * static_cast<std::size_t>(kQueues) : 0;
  handed_out_.resize(queues);
  ended_.resize(queues);
}

SumTurns::Turn SumTurns::next_turn(const Block& block, std::size_t sum, bool of_image) {
  const BlockSum& wanted = plan_.sums[sum];
  if (!wanted.takes_turns) return {};
  const auto place = [&](std::size_t axis) { return of_image ? plan_.mirror[axis] : axis; };
  const std::int64_t array = wanted.array_of(number_along(plan_.grid, wanted.reduced, block, place));
  const std::int64_t kept = number_along(plan_.grid, wanted.kept, block, place);
  const auto queue =
      static_cast<std::size_t>(static_cast<std::int64_t>(sum) * kQueues + (kept * wanted.arrays + array) % kQueues);
  return {queue, handed_out_[queue]++};
}

std::int64_t SumTurns::take(std::vector<Turn>& turns) {
  turns.clear();
  const std::scoped_lock lock(mutex_);
  if (is_given_up_ || next_ >= tiles_.count()) return -1;
  if (is_needed_) {
    visit_blocks(plan_, tiles_.tile(next_), [&](const Block& block, std::int64_t, std::int64_t) {
      visit_additions(plan_, block,
                      [&](std::size_t sum, bool of_image) { turns.push_back(next_turn(block, sum, of_image)); });
      return true;
    });
  }
  return next_++;
}

bool SumTurns::wait(const Turn& turn) {
  if (turn.number < 0) return true;
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return is_given_up_ || ended_[turn.queue] == turn.number; });
  return !is_given_up_;
}

void SumTurns::end(const Turn& turn) {
  if (turn.number < 0) return;
  {
    const std::scoped_lock lock(mutex_);
    ++ended_[turn.queue];
  }
  changed_.notify_all();
}

void SumTurns::give_up() {
  {
    const std::scoped_lock lock(mutex_);
    is_given_up_ = true;
  }
  changed_.notify_all();
}

}  // namespace trntensor::host
