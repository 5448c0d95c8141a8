// SPDX-License-Identifier: BSD-3-Clause
// The machine that this process runs on, as lib/probe measures it.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <tuple>
#include <vector>

#include "cli/probe/channel.hpp"
#include "cli/probe/crew.hpp"
#include "cli/probe/node_memory.hpp"
#include "probe/instrument.hpp"

namespace nestbind::cli::probe {

class Threads : public nestbind::probe::Instrument {
 public:
  // bytes: of memory on each node that is read; more than its caches.
  explicit Threads(std::size_t bytes) : bytes_(bytes) {}

  double now() override;
  void rest(double seconds) override;

  // Throws CannotMeasure.
  nestbind::probe::Took batch(const nestbind::probe::Subject& subject, int count,
                              double limit) override;

 private:
  nestbind::probe::Took exchange(const nestbind::probe::Subject& subject, int count, double limit);
  nestbind::probe::Took follow(const nestbind::probe::Subject& subject, int count, double limit);
  nestbind::probe::Took stream(const nestbind::probe::Subject& subject, int count, double limit);
  Channel& channel(const nestbind::probe::Pair& pair, int bytes);
  NodeMemory& memory(int node);

  std::size_t bytes_;
  std::map<std::tuple<int, int, int>, std::unique_ptr<Channel>> channels_;
  std::map<int, std::unique_ptr<NodeMemory>> memories_;
  std::size_t read_to_ = 0;  // blocks
  Crew crew_;                // its threads end first
};

}  // namespace nestbind::cli::probe
