// SPDX-License-Identifier: BSD-3-Clause
// Moves the process's memory by itself, interval by interval: takes what was sampled, has the rules
// judge it (memory/interval.hpp), carries that out, and reads back. Knows the kernel by what
// `World` answers. For one thread at a time; throws std::bad_alloc only.
//
// A region that several nodes use is given a policy before its first page is dealt: the kernel's
// balancing would move it away again. It has no samples from then on, so that what was seen before
// is kept, until its term is over (term.hpp): then the policy is taken off, and it is looked at
// anew. Where each part goes to its only user there is none: the kernel's balancing agrees, and
// goes on to tell when the user is another.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "memory/apply/account.hpp"
#include "memory/apply/apply_record.hpp"
#include "memory/apply/carry.hpp"
#include "memory/apply/term.hpp"
#include "memory/apply/world.hpp"
#include "memory/interval.hpp"
#include "memory/restraint.hpp"
#include "memory/samples.hpp"

namespace nestbind::memory::apply {

// A region as it is found when an interval begins.
struct Found {
  Range range;
  std::uint64_t there = 0;  // bytes, about
};

struct Manner {
  int nodes = 1;
  PageSizes sizes;
  HugePages huge = HugePages::kSomewhere;
  bool always = false;         // move although the intensity is not known
  std::size_t most_units = 1;  // that samples are kept of at a time
};

class Keeper {
 public:
  // A region is moved when so many scans have ended since it was seen first, and three quarters of
  // it have samples enough; behind kMostScans that is not waited for. Who comes first to a page in
  // a scan has most of its neighbours too: one scan makes what all use seem each one's own. While
  // more of it comes to be there it is not in use yet: who initialises it is not who uses it.
  static constexpr std::uint64_t kLeastScans = 3;
  // From then on a unit that is sampled steadily has as many samples as ever. Of many hint faults
  // at once some are sampled only, so that it may take all of them.
  static constexpr std::uint64_t kMostScans = Samples::kScans;

  // So many regions have a policy at most: each may part a mapping of the program's in three, and
  // a process has 65,530 by Linux's usual limit.
  static constexpr std::ptrdiff_t kMostHeld = 1024;

  Keeper(World& world, const Manner& manner);

  // A hint fault: a node's processor has come for an address.
  void see(std::uintptr_t address, int node) { samples_.add(address, node, true); }
  // The kernel has been round once more.
  void end_scan();

  // An interval is over, which took so long. regions: in order, disjoint, each large enough.
  void interval(std::span<const Found> regions, std::uint64_t microseconds);
  // Takes off all policies: nothing will be moved any more, although the program goes on.
  void give_back() noexcept;
  // The figures as they are now; nothing is moved.
  void look(std::span<const Found> regions);

  const Record& record() const { return record_; }
  const Samples& samples() const { return samples_; }

 private:
  struct Kept {
    Account account;
    Term term;
    std::uint64_t there = 0;  // bytes, when it had grown last
    bool has_scan = false;
    std::uint64_t first_scan = 0;  // in which it had samples
    bool is_ready = false;         // its orders count
    bool is_whole = false;         // it is held, and all of each unit is on one node
    int gathered = 0;              // how often its units' pages were brought together
    Range range;                   // as it was found last
  };
  struct Regions;

  Regions take(std::span<const Found> found, bool may_look_anew);
  void forget_unmapped(std::span<const Area> areas);
  void forget(std::uintptr_t name, Kept& kept);
  bool has_grown(Kept& kept, std::uint64_t there);
  bool judge_ready(Kept& kept, const Seen& seen, std::uint64_t there) const;
  void find_homes(Region& region, Kept& kept);
  void find_strays(Region& region, Kept& kept);
  std::vector<Order> gathering(const Orders& orders, std::uint64_t bytes) const;
  void hold_shared(Regions& regions);
  bool hold(Region& region, Kept& kept);
  void release(Kept& kept);
  void look_anew();
  void carry_out(const Regions& regions, const Orders& orders, std::uint64_t bytes);
  void note(const Order& order, const Carried& carried, const Traffics& before);
  void leave(const Range& range, Why why);

  World& world_;
  const Manner manner_;
  Samples samples_;
  Restraint restraint_;
  std::map<std::uintptr_t, Kept> kept_;    // by the region's first address
  std::map<std::uintptr_t, int> in_vain_;  // units that could not be moved: how often
  // Of this interval: units of held regions that are to be on the node where most of them is, with
  // the bytes that are not.
  struct Stray {
    Order order;
    std::uint64_t bytes;
  };
  std::vector<Stray> strays_;
  Record record_;
};

}  // namespace nestbind::memory::apply
