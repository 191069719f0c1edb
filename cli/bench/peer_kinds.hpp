// One function for each library; each gives null when the library is not there or lacks a function that is needed.
#pragma once

#include <memory>

#include "cli/bench/peer.hpp"

namespace trntensor::cli::bench {

std::shared_ptr<const Peer> load_openblas();
std::shared_ptr<const Peer> load_blis();
std::shared_ptr<const Peer> load_onednn();
std::shared_ptr<const Peer> load_libxsmm();
std::shared_ptr<const Peer> load_eigen();
std::shared_ptr<const Peer> load_torch();

}  // namespace trntensor::cli::bench
