// SPDX-License-Identifier: BSD-3-Clause
// What is wrong with the place of a region, and what would fix it. Pure: the input is uses and
// homes. The functions of memory/spread find what BLOCK and INTERLEAVE would do.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "memory/watch/sharing.hpp"

namespace nestbind::memory::watch {

struct Figures {
  double local = 0;      // uses from the node that has the memory, per cent
  double imbalance = 0;  // standard deviation of the nodes' memory, per cent of the mean
};

enum class Remedy {
  kUnseen,  // too little is known
  kNone,
  kBlock,
  kLocal,
  kInterleave,
  kOwn,  // each page on the node that uses it, by a parallel first touch
};

// Numbers of samples. Below kEnough, only a very large gain counts; below kFewest, no gain.
inline constexpr std::uint64_t kEnough = 200;
inline constexpr std::uint64_t kFewest = 50;

struct Verdict {
  Remedy remedy = Remedy::kUnseen;
  Figures now;
  Figures then;  // figures with the remedy
  int node = 0;  // for kLocal: the node of all pages
  Sharing sharing;
  std::uint64_t samples = 0;
  std::vector<double> users;  // part of the uses, per cent, by position in Facts::nodes
};

Verdict judge(const Facts& facts);

// Gives each used piece of 2 MiB the same total weight. A huge page has one use; the same memory in
// small pages has 512 uses. No weight is more than twice the median, because the kernel
// adapts its sampling: a sample may also stand for faults at other places.
void weigh_evenly(Facts& facts);

// The figures of the uses if each page were on the node that `home` gives.
Figures figures_of(const Facts& facts, const std::function<int(const Use&)>& home);

// Whether to interleave the region without asking: two or more nodes share it, its pages are
// unevenly distributed, and few uses would become remote. pages_on: by position in Facts::nodes.
bool is_to_be_interleaved(const Facts& facts, const Verdict& verdict,
                          std::span<const double> pages_on);

// The standard deviation in per cent of the mean. numbers: one for each node.
double imbalance_of(std::span<const double> numbers);

}  // namespace nestbind::memory::watch
