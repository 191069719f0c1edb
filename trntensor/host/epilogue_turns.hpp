// The order in which blocks add to arrays that they share.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

#include "trntensor/host/epilogue_tiles.hpp"

namespace trntensor::host {

/// Calls visit(number of the sum, of the mirror image) for each array that a block adds to, always in one order.
template <typename Visit>
void visit_additions(const EpiloguePlan& plan, const Block& block, const Visit& visit) {
  const bool has_image = !is_on_diagonal(plan, block);
  for (std::size_t s = 0; s < plan.sums.size(); ++s) {
    visit(s, false);
    if (has_image) visit(s, true);
  }
}

/// Hands out tiles, and with them the turns of their blocks. Whoever adds to a place that others add to as well waits
/// until all that were handed out before have done so: sums have the same bits for any number of threads. Nobody waits
/// for a tile that no thread works on, since tiles are handed out in their order and every thread adds in the order of
/// its turns.
class SumTurns {
 public:
  struct Turn {
    std::size_t queue = 0;
    std::int64_t number = -1;  ///< in the queue; -1: nobody else adds to this place
  };

  SumTurns(const EpiloguePlan& plan, const BlockTiles& tiles);

  /// The next tile, or -1 when there is none. `turns`: of all additions of its blocks, in their order.
  std::int64_t take(std::vector<Turn>& turns);

  /// Waits for a turn; false when the work was given up.
  bool wait(const Turn& turn);
  void end(const Turn& turn);

  /// Lets nobody wait or take a tile any more.
  void give_up();

 private:
  [[nodiscard]] Turn next_turn(const Block& block, std::size_t sum, bool of_image);

  const EpiloguePlan& plan_;
  const BlockTiles& tiles_;
  bool is_needed_ = false;
  bool is_given_up_ = false;
  std::int64_t next_ = 0;
  std::vector<std::int64_t> handed_out_;  // per queue
  std::vector<std::int64_t> ended_;
  std::mutex mutex_;
  std::condition_variable changed_;
};

}  // namespace trntensor::host
