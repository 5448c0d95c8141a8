// SPDX-License-Identifier: BSD-3-Clause
// How long what was dealt keeps its policy before it is looked at anew. Under the policy nothing
// is seen of it: the kernel's balancing leaves it out. Without the policy, while it is looked at,
// that balancing draws pages to whoever comes first. So looks are short beside the terms between
// them, and become rare where they find what was known.
#pragma once

#include <algorithm>
#include <cstdint>

namespace nestbind::memory::apply {

class Term {
 public:
  // In intervals: usually half a minute, in which a program that has begun something else has lost
  // little, and ten times what a look takes where the kernel scans once a second.
  static constexpr std::uint64_t kLeast = 30;
  // Where it scans seldom a look takes long: at most a ninth of the time.
  static constexpr std::uint64_t kOfLook = 8;
  // Twice as long behind each look that has found the same, so many times: 16 minutes at least.
  static constexpr unsigned kMostDoublings = 5;

  // The region has its policy from this interval on.
  void hold(std::uint64_t now) {
    if (is_look_) {
      took_ = now - since_;
      same_ = std::min(same_ + 1, kMostDoublings);
    }
    is_look_ = false;
    since_ = now;
  }
  // It has none from this interval on: to see who uses it.
  void look(std::uint64_t now) {
    is_look_ = true;
    since_ = now;
  }
  // Whether that is what it has none for.
  bool is_look() const { return is_look_; }

  // How long it is held, in intervals.
  std::uint64_t length() const { return std::max(kLeast, kOfLook * took_) << same_; }
  // Whether that is over; of a region that is held.
  bool is_over(std::uint64_t now) const { return now - since_ >= length(); }

 private:
  bool is_look_ = false;
  std::uint64_t since_ = 0;
  std::uint64_t took_ = 0;  // the latest look
  unsigned same_ = 0;       // looks that found the same
};

}  // namespace nestbind::memory::apply
