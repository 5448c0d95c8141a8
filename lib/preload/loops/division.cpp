// SPDX-License-Identifier: BSD-3-Clause
#include "loops/division.hpp"

#include <bit>

namespace nestbind::loops {
namespace {

// The last chunk of the last queue is not open (Span::open). This chunk has at most 1/kHeldBack of
// the units. A larger chunk would make the owner of the queue steal too early.
constexpr std::uint64_t kHeldBack = 8;

constexpr std::uint64_t ceiling(std::uint64_t number, std::uint64_t divisor) {
  return number / divisor + (number % divisor != 0 ? 1 : 0);
}

// The first `remainder` parts have one element more than the others.
constexpr std::uint64_t even_begin(std::uint64_t quotient, std::uint64_t remainder, int part) {
  const auto number = static_cast<std::uint64_t>(part);
  return number * quotient + std::min(number, remainder);
}

// Rounding up in in_units() may need one more bit.
int shift_for(std::uint64_t grains) {
  return std::max(0, static_cast<int>(std::bit_width(grains)) - (kTakenBits - 1));
}

std::uint64_t in_units(std::uint64_t grains, int shift) {
  return (grains >> shift) + ((grains & ((std::uint64_t{1} << shift) - 1)) != 0 ? 1 : 0);
}

std::uint64_t grains_in(std::uint64_t iterations, std::uint64_t grain) {
  return iterations / grain + (iterations % grain != 0 ? 1 : 0);
}

}  // namespace

Range even_share(std::uint64_t iterations, std::uint64_t grain, int members, int member) {
  const std::uint64_t grains = grain == 1 ? iterations : ceiling(iterations, grain);
  const std::uint64_t quotient = grains / static_cast<std::uint64_t>(members);
  const std::uint64_t remainder = grains % static_cast<std::uint64_t>(members);
  const std::uint64_t begin = even_begin(quotient, remainder, member);
  const std::uint64_t end = even_begin(quotient, remainder, member + 1);
  return begin < end ? Range{begin * grain, end == grains ? iterations : end * grain} : Range{};
}

Division::Division(const Loop& loop, const Grouping& grouping) : loop_(loop), grouping_(grouping) {
  const auto members = static_cast<std::uint64_t>(grouping.members);
  grains_ = loop.grain == 1 ? loop.iterations : ceiling(loop.iterations, loop.grain);
  chunk_ = loop.grain == 1 ? loop.chunk : ceiling(loop.chunk, loop.grain);
  is_static_ = grains_ <= members || members == 1 || loop.static_parts >= kParts;
  if (grains_ <= members) {
    loop_.weights = nullptr;
  }
  quotient_ = grains_ / members;
  remainder_ = grains_ % members;
  last_queue_ = grouping.queues - 1;
  while (!is_static_ && share_begin(grouping_.first_of(last_queue_)) == grains_) {
    --last_queue_;
  }
  is_uniform_ = !is_static_ && loop_.weights == nullptr && grouping_.queues == grouping_.members;
  if (is_uniform_) {
    uniform_[0] = span_of(0, quotient_, 1);
    uniform_[1] = span_of(0, quotient_ + 1, 1);
    last_open_ = general_span(last_queue_).open;
  }
}

std::uint64_t Division::share_begin(int member) const {
  if (loop_.weights != nullptr) {
    return portion(grains_, loop_.weights[member], loop_.weights[grouping_.members]);
  }
  return even_begin(quotient_, remainder_, member);
}

Range Division::in_iterations(std::uint64_t first_grain, std::uint64_t behind) const {
  const std::uint64_t end = behind == grains_ ? loop_.iterations : behind * loop_.grain;
  return first_grain < behind ? Range{first_grain * loop_.grain, end} : Range{};
}

Range Division::block(int member) const {
  if (is_static_) {
    return in_iterations(share_begin(member), share_begin(member + 1));
  }
  const int queue = grouping_.queue_with(member);
  const int first = grouping_.first_of(queue);
  const int members = grouping_.first_of(queue + 1) - first;
  const std::uint64_t begin = share_begin(first);
  const std::uint64_t whole = portion(share_begin(first + members) - begin,
                                      static_cast<std::uint64_t>(loop_.static_parts), kParts);
  const int part = member - first;
  if (members == 1) {
    return in_iterations(begin, begin + whole);
  }
  if (loop_.weights == nullptr) {
    const std::uint64_t quotient = whole / static_cast<std::uint64_t>(members);
    const std::uint64_t remainder = whole % static_cast<std::uint64_t>(members);
    return in_iterations(begin + even_begin(quotient, remainder, part),
                         begin + even_begin(quotient, remainder, part + 1));
  }
  const std::uint32_t* weights = loop_.weights + first;
  const std::uint32_t all = std::max(weights[members] - weights[0], 1U);
  return in_iterations(begin + portion(whole, weights[part] - weights[0], all),
                       begin + portion(whole, weights[part + 1] - weights[0], all));
}

Span Division::span_of(std::uint64_t begin, std::uint64_t share, int members) const {
  Span span;
  const std::uint64_t blocks =
      portion(share, static_cast<std::uint64_t>(loop_.static_parts), kParts);
  span.begin = begin + blocks;
  span.grains = share - blocks;
  span.shift = shift_for(span.grains);
  span.members = members;
  span.units = span.open = in_units(span.grains, span.shift);
  span.chunk = std::min(in_units(chunk_, span.shift), span.units);
  return span;
}

std::uint64_t Division::open_of_last(const Span& span) const {
  const std::uint64_t least = std::max(span.units / kHeldBack, std::uint64_t{1});
  return span.units - std::min(span.chunk, least);
}

Span Division::general_span(int queue) const {
  if (is_static_) {
    return {};
  }
  const int first = grouping_.first_of(queue);
  const int behind = grouping_.first_of(queue + 1);
  const std::uint64_t begin = share_begin(first);
  Span span = span_of(begin, share_begin(behind) - begin, behind - first);
  span.open = queue == last_queue_ ? open_of_last(span) : span.units;
  return span;
}

Range Division::range(const Span& span, std::uint64_t from, std::uint64_t to) const {
  const std::uint64_t end = to == span.units ? span.grains : to << span.shift;
  return in_iterations(span.begin + (from << span.shift), span.begin + end);
}

Blocks::Blocks(std::uint64_t iterations, std::uint64_t grain, int members, int wanted)
    : iterations_(iterations), grain_(grain), members_(members) {
  const std::uint64_t smallest = grains_in(iterations, grain) / static_cast<std::uint64_t>(members);
  each_ = static_cast<int>(std::min(smallest, static_cast<std::uint64_t>(wanted)));
}

// If `block` is count(), returns the end of the loop.
std::uint64_t Blocks::begin(int block) const {
  if (block == count()) {
    return iterations_;
  }
  const Range share = even_share(iterations_, grain_, members_, first_owner(block));
  const std::uint64_t grains = grains_in(share.size(), grain_);
  return share.begin + grain_ * portion(grains, static_cast<std::uint64_t>(block % each_),
                                        static_cast<std::uint64_t>(each_));
}

}  // namespace nestbind::loops
