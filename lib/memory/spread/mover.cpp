// SPDX-License-Identifier: BSD-3-Clause
#include "memory/spread/mover.hpp"

#include <errno.h>

#include <algorithm>
#include <bit>
#include <iterator>
#include <utility>

namespace nestbind::memory::spread {

using kernel::kNoPage;
using kernel::NodeSet;
using kernel::Policy;
using kernel::Range;

Goal Goal::of_parts(std::vector<Part> parts) {
  Goal goal;
  std::ranges::transform(parts, std::back_inserter(goal.nodes_), &Part::node);
  goal.parts_ = std::move(parts);
  return goal;
}

Goal Goal::evenly(std::vector<int> nodes) {
  Goal goal;
  goal.dealt_.resize(nodes.size());
  goal.nodes_ = std::move(nodes);
  return goal;
}

int Goal::of(std::uintptr_t address, std::size_t bytes) const {
  return is_even() ? nodes_[address / bytes % nodes_.size()] : node_at(parts_, address + bytes / 2);
}

int Goal::deal(std::uintptr_t address, std::size_t bytes, std::size_t counted) {
  if (!is_even()) {
    return of(address, bytes);
  }
  std::size_t to = address / bytes % nodes_.size();
  const auto least = std::ranges::min_element(dealt_);
  if (dealt_[to] != *least) {
    to = static_cast<std::size_t>(least - dealt_.begin());
  }
  dealt_[to] += counted;
  return nodes_[to];
}

namespace {

// A unit (huge page) is in one chunk only.
class Chunk {
 public:
  Chunk(Pages& kernel, Goal& goal, std::size_t unit, std::vector<Part>& runs)
      : kernel_(kernel), goal_(goal), unit_(unit), page_(kernel::page_bytes()), runs_(runs) {}

  void bring(const Range& range, Outcome& outcome) {
    range_ = range;
    nodes_.assign(range.pages(), kNoPage);
    targets_.assign(range.pages(), kNoPage);
    leads_.assign(range.pages(), false);
    error_ = read();
    for (std::size_t first = 0; first < nodes_.size() && error_ == 0;) {
      const std::uintptr_t behind = (address(first) / unit_ + 1) * unit_;
      const std::size_t last = std::min(nodes_.size(), first + (behind - address(first)) / page_);
      const std::size_t granule = granule_of(first, last);
      choose(first, last, granule);
      first = last;
    }
    for (int round = 0; round < kRounds && error_ == 0 && elsewhere() > 0; ++round) {
      error_ = move_all(round == 0);
      if (error_ == 0) {
        error_ = read();
      }
    }
    outcome.error = error_;
    outcome.elsewhere += elsewhere();
    outcome.pages += static_cast<std::size_t>(
        std::ranges::count_if(nodes_, [](int node) { return node != kNoPage; }));
    if (!goal_.is_even()) {
      note_runs();
    }
  }

 private:
  static constexpr int kRounds = 3;  // a page that cannot be moved now may be movable later

  std::uintptr_t address(std::size_t page) const { return range_.begin + page * page_; }
  int read() { return kernel_.find_nodes(range_, nodes_); }

  // Moves one page, and returns how many pages moved with it, rounded up to a power of two. A huge
  // page moves as a whole. Returns 1 if no page moved. Begins in the middle, because the ends of
  // the range may have only a part of a huge page.
  std::size_t granule_of(std::size_t first, std::size_t last) {
    for (std::size_t tried = 0; tried < last - first; ++tried) {
      const std::size_t i = first + ((last - first) / 2 + tried) % (last - first);
      const int target = goal_.of(address(i), page_);
      if (nodes_[i] == kNoPage || nodes_[i] == target) {
        continue;
      }
      const std::uintptr_t page = address(i);
      int status = 0;
      error_ = kernel_.move({&page, 1}, {&target, 1}, {&status, 1});
      if (error_ != 0 || status < 0) {
        return 1;
      }
      const std::vector<int> before(nodes_.begin() + static_cast<std::ptrdiff_t>(first),
                                    nodes_.begin() + static_cast<std::ptrdiff_t>(last));
      const std::span after(nodes_.data() + first, last - first);
      error_ = kernel_.find_nodes({address(first), address(last)}, after);
      std::size_t gone = 0;
      for (std::size_t at = 0; at < before.size(); ++at) {
        gone += after[at] != before[at] ? 1 : 0;
      }
      return std::bit_ceil(std::max<std::size_t>(gone, 1));
    }
    return 1;
  }

  void choose(std::size_t first, std::size_t last, std::size_t granule) {
    const std::size_t bytes = granule * page_;
    while (first < last) {
      const std::uintptr_t begin = address(first) / bytes * bytes;
      const std::size_t behind = std::min(last, first + (begin + bytes - address(first)) / page_);
      choose_piece(first, behind, begin, bytes);
      first = behind;
    }
  }

  void choose_piece(std::size_t first, std::size_t last, std::uintptr_t begin, std::size_t bytes) {
    std::size_t lead = first;
    while (lead < last && nodes_[lead] == kNoPage) {
      ++lead;
    }
    const bool any = lead < last;
    if (any) {
      leads_[lead] = true;
    }
    const int target = any ? goal_.deal(begin, bytes, (last - first) * page_) : kNoPage;
    for (std::size_t i = first; i < last; ++i) {
      targets_[i] = any ? target : goal_.of(address(i), page_);
    }
  }

  int move_all(bool leads_only) {
    std::vector<std::pair<int, std::uintptr_t>> wanted;
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      if (nodes_[i] != kNoPage && nodes_[i] != targets_[i] && (leads_[i] || !leads_only)) {
        wanted.emplace_back(targets_[i], address(i));
      }
    }
    std::ranges::sort(wanted);
    std::vector<std::uintptr_t> pages;
    std::vector<int> targets;
    for (const auto& [node, page] : wanted) {
      pages.push_back(page);
      targets.push_back(node);
    }
    std::vector<int> status(pages.size());
    return kernel_.move(pages, targets, status);
  }

  std::size_t elsewhere() const {
    std::size_t pages = 0;
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      pages += nodes_[i] != kNoPage && nodes_[i] != targets_[i] ? 1 : 0;
    }
    return pages;
  }

  void note_runs() {
    for (std::size_t i = 0; i < targets_.size(); ++i) {
      if (runs_.empty() || runs_.back().node != targets_[i]) {
        runs_.push_back({address(i + 1), targets_[i]});
      } else {
        runs_.back().end = address(i + 1);
      }
    }
  }

  Pages& kernel_;
  Goal& goal_;
  const std::size_t unit_;
  const std::size_t page_;
  std::vector<Part>& runs_;
  Range range_;
  std::vector<int> nodes_;
  std::vector<int> targets_;
  std::vector<bool> leads_;  // for each page, whether it is the first existing page of its granule
  int error_ = 0;
};

// In a file of huge pages, a policy must be for whole huge pages. The kernel rejects other ranges,
// so this range is then rounded.
int set_policy(Pages& pages, const Range& range, Policy policy, const NodeSet& nodes,
               std::size_t unit) {
  const int error = pages.set_policy(range, policy, nodes);
  if (error != EINVAL) {
    return error;
  }
  const auto rounded = [&](std::uintptr_t address) { return (address + unit / 2) / unit * unit; };
  const Range whole{rounded(range.begin), rounded(range.end)};
  return whole.begin == whole.end ? 0 : pages.set_policy(whole, policy, nodes);
}

NodeSet nodes_of(const Goal& goal) {
  NodeSet nodes;
  std::ranges::for_each(goal.nodes(), [&](int node) { nodes.add(node); });
  return nodes;
}

}  // namespace

Outcome bring(Pages& pages, const Range& range, Goal goal, std::size_t unit) {
  constexpr std::size_t kPagesAtOnce = 16384;
  const std::size_t step = std::max(unit, kPagesAtOnce * kernel::page_bytes() / unit * unit);
  Outcome outcome;
  // The policy stops the kernel's NUMA balancing. Pages that balancing has marked cannot be moved.
  const int refused = pages.set_policy(range, Policy::kInterleave, nodes_of(goal));
  if (refused != 0 && refused != EINVAL) {
    outcome.error = refused;
    return outcome;
  }
  std::vector<Part> runs;
  Chunk chunk(pages, goal, unit, runs);
  // Moves whole huge pages first. The small pages at the ends then go to the nodes with fewer
  // bytes.
  const std::uintptr_t first = std::min(range.end, (range.begin + unit - 1) / unit * unit);
  const std::uintptr_t last = std::max(first, range.end / unit * unit);
  const bool is_even = goal.is_even();
  for (const Range& part :
       {is_even ? Range{first, last} : range, Range{range.begin, first}, Range{last, range.end}}) {
    for (std::uintptr_t at = part.begin; at < part.end && outcome.error == 0;) {
      const std::uintptr_t behind = std::min(part.end, at / unit * unit + step);
      chunk.bring({at, behind}, outcome);
      at = behind;
    }
    if (!is_even) {
      break;
    }
  }
  if (outcome.error != 0) {
    return outcome;
  }
  if (goal.is_even()) {
    outcome.policy_error =
        refused == 0 ? 0 : set_policy(pages, range, Policy::kInterleave, nodes_of(goal), unit);
    return outcome;
  }
  std::uintptr_t begin = range.begin;
  for (const Part& run : runs) {
    NodeSet nodes;
    nodes.add(run.node);
    if (const int error = set_policy(pages, {begin, run.end}, Policy::kPreferred, nodes, unit)) {
      outcome.policy_error = error;
    }
    begin = run.end;
  }
  return outcome;
}

}  // namespace nestbind::memory::spread
