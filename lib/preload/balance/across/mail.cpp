// SPDX-License-Identifier: BSD-3-Clause
#include "balance/across/mail.hpp"

#include <algorithm>
#include <numeric>

namespace nestbind::balance::across {

bool Mail::send_counts(nestbind_across_group group, std::size_t ranks,
                       nestbind_across_exchange& exchange) {
  group_ = group;
  Grow<int> next;
  if (!counts_.fill(ranks, 0) || !offsets_.fill(ranks + 1, 0) || !next.resize(ranks) ||
      !packed_.resize(bytes_.size()) || !receive_counts_.fill(ranks, 0) ||
      !receive_offsets_.fill(ranks + 1, 0)) {
    return false;
  }
  for (const Part& part : parts_) {
    counts_[index(part.to)] += part.count;
  }
  std::partial_sum(counts_.begin(), counts_.end(), offsets_.begin() + 1);
  std::copy(offsets_.begin(), offsets_.end() - 1, next.begin());
  const char* from = bytes_.data();
  for (const Part& part : parts_) {
    if (part.count > 0) {
      std::memcpy(packed_.data() + next[index(part.to)], from, index(part.count));
    }
    from += part.count;
    next[index(part.to)] += part.count;
  }
  exchange = {};
  exchange.kind = NESTBIND_ACROSS_COUNTS;
  exchange.group = group_;
  exchange.send_counts = counts_.data();
  exchange.receive_counts = receive_counts_.data();
  return true;
}

bool Mail::send_data(nestbind_across_exchange& exchange) {
  std::partial_sum(receive_counts_.begin(), receive_counts_.end(), receive_offsets_.begin() + 1);
  const bool has_room = received_.resize(index(receive_offsets_[receive_counts_.size()]));
  exchange = {NESTBIND_ACROSS_DATA,   group_,           nullptr,
              packed_.data(),         received_.data(), counts_.data(),
              receive_counts_.data(), offsets_.data(),  receive_offsets_.data()};
  return has_room;
}

}  // namespace nestbind::balance::across
