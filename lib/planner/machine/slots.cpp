// SPDX-License-Identifier: BSD-3-Clause
#include "machine/slots.hpp"

#include <algorithm>
#include <functional>
#include <set>

namespace nestbind::machine {
namespace {

int first_slots(const Core& core, const Choice& choice) {
  return choice.smt > 0 ? std::min(choice.smt, core.threads()) : 1;
}

std::vector<int> choose_cores(const std::vector<Core>& cores, const Choice& choice) {
  std::set<int, std::greater<>> speeds;
  for (const Core& core : cores) {
    speeds.insert(core.speed);
  }
  std::vector<int> chosen;
  long slots = 0;
  for (int speed : speeds) {
    const bool is_fastest = speed == *speeds.begin();
    const bool is_slowest = speed == *speeds.rbegin();
    const bool whole_kind = choice.cores == CoreChoice::kAll ||
                            (choice.cores == CoreChoice::kEfficient ? is_slowest : is_fastest);
    for (std::size_t i = 0; i < cores.size(); ++i) {
      const bool is_wanting = choice.cores == CoreChoice::kAuto && slots < choice.wanted;
      if (cores[i].speed == speed && (whole_kind || is_wanting)) {
        chosen.push_back(static_cast<int>(i));
        slots += first_slots(cores[i], choice);
      }
    }
  }
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

void share_threads(const std::vector<Core>& cores, const std::vector<int>& chosen, long wanted,
                   std::vector<int>& slots) {
  const long count = static_cast<long>(chosen.size());
  long threads = 0;
  for (int core : chosen) {
    threads += cores[core].threads();
  }
  wanted = std::min(wanted, threads);  // each slot needs a hardware thread
  long wanting = wanted;
  for (long i = 0; i < count; ++i) {
    const Core& core = cores[chosen[i]];
    const long even = (i + 1) * wanted / count - i * wanted / count;
    slots[chosen[i]] = static_cast<int>(std::min<long>(even, core.threads()));
    wanting -= slots[chosen[i]];
  }
  while (wanting > 0) {
    for (int core : chosen) {
      if (wanting > 0 && slots[core] < cores[core].threads()) {
        ++slots[core];
        --wanting;
      }
    }
  }
}

}  // namespace

std::vector<int> slots_of_cores(const std::vector<Core>& cores, const Choice& choice) {
  std::vector<int> slots(cores.size(), 0);
  const std::vector<int> chosen = choose_cores(cores, choice);
  for (int core : chosen) {
    slots[core] = first_slots(cores[core], choice);
  }
  if (choice.smt <= 0 && choice.wanted > static_cast<long>(chosen.size())) {
    share_threads(cores, chosen, choice.wanted, slots);
  }
  return slots;
}

std::vector<Cut> cut_cores(const std::vector<Core>& cores, const std::vector<int>& slots) {
  std::vector<Cut> cuts;
  for (std::size_t i = 0; i < cores.size(); ++i) {
    const Core& core = cores[i];
    const auto first = [&](int s) {
      return core.begin + (s * core.threads() + slots[i] - 1) / slots[i];
    };
    for (int s = 0; s < slots[i]; ++s) {
      cuts.push_back({first(s), first(s + 1), static_cast<int>(i)});
    }
  }
  return cuts;
}

}  // namespace nestbind::machine
