#include "trntensor/dispatch/calls_at_hand.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "trntensor/host/kernels/choice.hpp"
#include "trntensor/plan/thread_hits.hpp"

namespace trntensor::dispatch {
namespace {

/// Two places for each value of some bits of the hash; new calls push older ones from the first to the second.
class Table {
 public:
  std::shared_ptr<const PreparedCall> find(const CallKey& key) {
    if (const std::uint64_t age = plan::cache_age(); age != age_) {
      entries_ = {};
      age_ = age;
      return nullptr;
    }
    for (Entry* entry = first_place(key); entry != first_place(key) + kPlaces; ++entry) {
      if (entry->hash != key.hash() || !std::ranges::equal(entry->words, key.words())) continue;
      const PreparedCall& call = *entry->call;
      if (!call.cached->is_kept() || call.kernel_choice != host::kernel_choice()) {
        *entry = {};
        return nullptr;
      }
      call.cached->note_use();
      hits_.add();
      return entry->call;
    }
    return nullptr;
  }

  void keep(const CallKey& key, std::shared_ptr<const PreparedCall> call) {
    Entry* const place = first_place(key);
    std::move_backward(place, place + kPlaces - 1, place + kPlaces);
    *place = {key.hash(), {key.words().begin(), key.words().end()}, std::move(call)};
  }

 private:
  struct Entry {
    std::uint64_t hash = 0;
    std::vector<std::uint64_t> words = {};  // empty: nothing is kept here
    std::shared_ptr<const PreparedCall> call = nullptr;
  };

  static constexpr std::size_t kPlaces = 2;
  static constexpr int kIndexBits = 6;

  Entry* first_place(const CallKey& key) noexcept { return &entries_[(key.hash() >> (64 - kIndexBits)) * kPlaces]; }

  std::array<Entry, (std::size_t{1} << kIndexBits) * kPlaces> entries_;
  std::uint64_t age_ = plan::cache_age();
  plan::ThreadHits hits_;
};

// A pointer that has no destructor can be looked at as long as the thread runs, also by destructors of other
// thread-local objects that call einsum.
thread_local constinit Table* table = nullptr;
thread_local constinit bool is_ending = false;

struct TableOwner {
  TableOwner() { table = new Table; }
  ~TableOwner() {
    is_ending = true;
    delete std::exchange(table, nullptr);
  }
};

Table* table_of_thread() {
  if (table == nullptr && !is_ending) thread_local const TableOwner owner;
  return table;
}

}  // namespace

std::shared_ptr<const PreparedCall> find_at_hand(const CallKey& key) {
  Table* const calls = table_of_thread();
  return calls == nullptr ? nullptr : calls->find(key);
}

void keep_at_hand(const CallKey& key, PreparedCall call) {
  Table* const calls = table_of_thread();
  if (calls != nullptr) calls->keep(key, std::make_shared<const PreparedCall>(std::move(call)));
}

}  // namespace trntensor::dispatch
