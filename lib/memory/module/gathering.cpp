// SPDX-License-Identifier: BSD-3-Clause
#include "memory/module/gathering.hpp"

#include <unistd.h>

#include <algorithm>
#include <bit>
#include <string_view>

#include "memory/kernel/memory_nodes.hpp"
#include "memory/kernel/pages.hpp"
#include "memory/kernel/self.hpp"
#include "memory/watch/watched_mappings.hpp"

namespace nestbind::memory {

using support::MappedVector;

namespace {

constexpr std::size_t kMostGone = 256;
constexpr std::size_t kMostThreads = 65536;
constexpr std::uint64_t kPagesOfBlock = kBlockBytes / kPageBytes;

bool overlaps(const Range& one, std::uint64_t begin, std::uint64_t end) {
  return one.begin < end && begin < one.end;
}

// Memory that the program has for itself, and no file.
bool is_own_memory(const Mapping& mapping) {
  return mapping.is_writable && mapping.is_private &&
         (mapping.name.empty() || mapping.name.starts_with("[heap") ||
          mapping.name.starts_with("[stack") || mapping.name.starts_with("[anon"));
}

}  // namespace

Gathering::Gathering(std::uint64_t least, FindCode find_code)
    : least_(least), find_code_(find_code), process_(static_cast<std::uint32_t>(getpid())) {
  const kernel::Nodes& nodes = kernel::nodes();
  for (const int number : nodes.numbers) {
    numbers_.push_back(number);
  }
  numbers_.resize(std::min<std::size_t>(numbers_.size(), kMostCountedNodes));
  for (const int node : nodes.of_processor) {
    const auto at = std::ranges::find(numbers_, node) - numbers_.begin();
    of_processor_.push_back(
        static_cast<std::uint8_t>(std::min<std::ptrdiff_t>(at, kMostCountedNodes - 1)));
  }
}

void Gathering::begin() {
  is_balanced_ = node_count() > 1 && kernel::read_number("/proc/sys/kernel/numa_balancing", 0) != 0;
  MappedVector<Range> unused;
  read_mappings(unused, unused);
  refusal_ = samples_.begin();
}

void Gathering::note_thread(std::uint32_t thread) {
  const auto at = std::ranges::lower_bound(threads_, thread);
  if ((at == threads_.end() || *at != thread) && threads_.size() < kMostThreads) {
    threads_.insert(at, thread);
  }
}

void Gathering::take(const Sample& sample) {
  if (sample.process != process_) {
    return;
  }
  note_thread(sample.thread);
  const int index = sample.processor < of_processor_.size() ? of_processor_[sample.processor] : 0;
  // Whose code it was is asked of first touches only: it takes longest.
  const std::uint64_t code =
      is_balanced_ && touches_.is_hint(sample) ? sample.code + 1 : code_of(sample, texts_);
  const std::uint64_t hints = touches_.hints();
  touches_.add(sample, code, index, is_balanced_);
  if (hint_sink_ != nullptr && touches_.hints() != hints) {
    hint_sink_->hint(sample.address, index);
  }
}

// Which pages are there now, and on which node each unit of new ones is.
void Gathering::look_at_block(std::uint64_t block, bool is_touched) {
  bool present[kPagesOfBlock];
  if (!kernel::find_present(block * kBlockBytes, present)) {
    return;
  }
  if (is_touched) {
    touches_.note_present(block, present);
  } else {
    touches_.adopt(block, present);
  }
  constexpr std::size_t kUnits = kBlockBytes / kUnitBytes;
  constexpr std::size_t kPagesOfUnit = kUnitBytes / kPageBytes;
  std::uintptr_t pages[kUnits];
  TouchedUnit* units[kUnits];
  int nodes[kUnits];
  std::size_t count = 0;
  for (std::size_t i = 0; i < kUnits; ++i) {
    TouchedUnit* unit = touches_.find(block * kUnits + i);
    const bool* first = present + i * kPagesOfUnit;
    const bool* page = std::find(first, first + kPagesOfUnit, true);
    if (unit != nullptr && unit->home < 0 && page != first + kPagesOfUnit) {
      pages[count] = block * kBlockBytes + static_cast<std::size_t>(page - present) * kPageBytes;
      units[count++] = unit;
    }
  }
  if (count == 0 || kernel::find_nodes(std::span<const std::uintptr_t>(pages, count),
                                       std::span<int>(nodes, count)) != 0) {
    return;
  }
  for (std::size_t i = 0; i < count; ++i) {
    const auto at = std::ranges::find(numbers_, nodes[i]);
    if (at != numbers_.end()) {
      touches_.note_home(*units[i], static_cast<int>(at - numbers_.begin()));
    }
  }
}

void Gathering::drain() {
  lost_ += samples_.drain([this](const Sample& sample) { take(sample); });
  touches_.settle_homes();  // those of the last time
  touches_.take_fresh([this](std::uint64_t block) {
    look_at_block(block, true);
    has_news_ = true;
  });
}

void Gathering::read_mappings(MappedVector<Range>& writable, MappedVector<Range>& candidates) {
  if (!kernel::read_all("/proc/thread-self/maps", maps_)) {
    return;
  }
  texts_.clear();
  std::string_view rest(maps_.data(), maps_.size());
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    const auto mapping = read_mapping(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (!mapping) {
      continue;
    }
    if (mapping->is_executable && mapping->name.starts_with('/')) {
      texts_.push_back({mapping->begin, mapping->end, is_helper(mapping->name)});
    }
    if (mapping->is_writable) {
      writable.push_back({mapping->begin, mapping->end});
    }
    const bool is_data = std::ranges::any_of(data_, [&](const kernel::DataRange& data) {
      return data.begin < mapping->end && mapping->begin < data.end;
    });
    if (is_own_memory(*mapping) && !is_data && mapping->end - mapping->begin >= least_) {
      candidates.push_back({mapping->begin, mapping->end});
    }
  }
}

std::uint64_t Gathering::function_of(std::uint32_t code) {
  const auto codes = touches_.codes();
  if (code >= codes.size()) {
    return 0;
  }
  functions_.resize(std::max(functions_.size(), codes.size()));
  std::uint64_t& function = functions_[code];
  if (function == 0) {
    interpose::CodePlace place;
    find_code_(codes[code], place);
    // Where its name is not known, each piece of code is by itself.
    function = place.function[0] == '\0' ? codes[code] : codes[code] - place.in_function;
  }
  return function;
}

// Unless there was a first touch since, they are what they were.
const Pieces& Gathering::chunks_of(const Range& mapping) {
  const auto before = std::ranges::find_if(splits_, [&](const Split& one) {
    return one.mapping.begin == mapping.begin && one.mapping.end == mapping.end;
  });
  if (before != splits_.end()) {
    return before->chunks;
  }
  // Where none is likely not of memory that is not there: to read would bring it.
  const auto read = [this](std::uint64_t address, std::uint64_t(&words)[2], bool is_likely) {
    return (is_likely || touches_.find(address / kUnitBytes) != nullptr) &&
           kernel::read_memory(static_cast<int>(process_), address, words, sizeof words);
  };
  splits_.push_back({mapping, split_by_chunks(mapping, read)});
  return splits_.back().chunks;
}

void Gathering::add_pieces(const Range& mapping, MappedVector<Known>& into) {
  for (const Range& chunk : chunks_of(mapping)) {
    if (chunk.end - chunk.begin < least_) {
      continue;
    }
    // Of memory that malloc gives out piece by piece.
    const auto function = [this](std::uint64_t address) {
      const TouchedUnit* unit = touches_.find(address / kUnitBytes);
      return unit == nullptr || unit->first_pages == 0 ? 0 : function_of(unit->first_code);
    };
    for (const Range& piece : split_by_function(chunk, kUnitBytes, least_, function)) {
      into.emplace_back();
      into.back().range = piece;
      into.back().chunk = chunk;
    }
  }
}

// Of the pages that the kernel told no node of those that are there.
void Gathering::find_hidden(std::span<const std::uintptr_t> pages, Known& region) const {
  std::uint64_t hidden[kMostAsked];
  std::size_t numbers[kMostAsked];
  bool present[kMostAsked];
  std::size_t count = 0;
  for (std::size_t i = 0; i < pages.size(); ++i) {
    if (region.asked[i] == kIsAbsent && touches_.is_present(pages[i])) {
      numbers[count] = i;
      hidden[count++] = pages[i];
    }
  }
  if (count == 0 || !kernel::are_present(std::span<const std::uint64_t>(hidden, count),
                                         std::span<bool>(present, count))) {
    return;
  }
  for (std::size_t i = 0; i < count; ++i) {
    region.asked[numbers[i]] = present[i] ? kIsHidden : kIsAbsent;
  }
}

// Where it is, by some of its pages, all over it.
void Gathering::ask_for(Known& region) const {
  std::uintptr_t pages[kMostAsked];
  int nodes[kMostAsked];
  const std::uint64_t all = (region.range.end - region.range.begin) / kPageBytes;
  const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(all, kMostAsked));
  for (std::size_t i = 0; i < count; ++i) {
    pages[i] = (region.range.begin & ~(kPageBytes - 1)) + i * all / count * kPageBytes;
  }
  if (count == 0 || kernel::find_nodes(std::span<const std::uintptr_t>(pages, count),
                                       std::span<int>(nodes, count)) != 0) {
    return;
  }
  for (std::size_t i = 0; i < count; ++i) {
    const auto at = std::ranges::find(numbers_, nodes[i]);
    region.asked[i] =
        at != numbers_.end() ? static_cast<std::int16_t>(at - numbers_.begin()) : kIsAbsent;
  }
  region.asked_count = count;
  if (is_balanced_) {
    find_hidden(std::span<const std::uintptr_t>(pages, count), region);
  }
  const std::span<std::int16_t> asked(region.asked, count);
  const auto before = std::ranges::find_if(present_, [&](const Known& one) {
    return one.range.begin == region.range.begin && one.range.end == region.range.end;
  });
  if (before != present_.end()) {
    settle_hidden(asked, std::span<const std::int16_t>(before->asked, before->asked_count));
  }
  const Whereabouts found = whereabouts_of(region.range.end - region.range.begin, asked);
  region.there = found.there;
  std::ranges::copy(found.bytes_on, region.bytes_on);
}

// Those of before that are not mapped any more: what is known of them is kept.
void Gathering::retire(const MappedVector<Range>& writable) {
  for (Known& region : present_) {
    const bool is_there = std::ranges::any_of(writable, [&](const Range& mapping) {
      return overlaps(mapping, region.range.begin, region.range.end);
    });
    if (is_there) {
      continue;
    }
    if (region.there >= least_ && gone_.size() < kMostGone) {
      region.units = units_of(region);
      region.is_gone = true;
      gone_.push_back(region);
    }
    touches_.forget(region.range.begin, region.range.end);
  }
}

// Of a region of which no sample has told, or not of all of it: what is there now is known from now
// on, so that a fault there is a hint fault.
void Gathering::adopt(const Known& region) {
  for (std::uint64_t block = region.range.begin / kBlockBytes;
       block * kBlockBytes < region.range.end; ++block) {
    constexpr std::uint64_t kUnits = kBlockBytes / kUnitBytes;
    bool is_known = false;
    for (std::uint64_t unit = block * kUnits; unit < (block + 1) * kUnits && !is_known; ++unit) {
      is_known = touches_.find(unit) != nullptr;
    }
    if (!is_known) {
      look_at_block(block, false);
    }
  }
}

void Gathering::look() {
  MappedVector<Range> writable;
  MappedVector<Range> candidates;
  read_mappings(writable, candidates);
  if (writable.empty()) {
    return;
  }
  if (texts_.size() != texts_of_statics_) {
    texts_of_statics_ = texts_.size();
    statics_.clear();
    data_.clear();
    kernel::find_statics(least_, statics_, data_);
    writable.clear();
    candidates.clear();
    read_mappings(writable, candidates);
  }
  retire(writable);
  if (has_news_) {
    splits_.clear();
  }
  MappedVector<Known> present;
  for (const kernel::StaticArray& array : statics_) {
    present.emplace_back();
    present.back().range = present.back().chunk = {array.begin, array.end};
    std::copy(std::begin(array.name), std::end(array.name), present.back().name);
  }
  for (const Range& mapping : candidates) {
    add_pieces(mapping, present);
  }
  for (Known& region : present) {
    ask_for(region);
    if (is_balanced_ && refusal_ == 0) {
      adopt(region);
    }
  }
  present_.swap(present);
  has_news_ = false;
}

MappedVector<TouchedUnit> Gathering::units_of(const Known& region) const {
  if (region.is_gone) {
    return region.units;
  }
  MappedVector<TouchedUnit> units;
  const std::uint64_t end = (region.range.end + kUnitBytes - 1) / kUnitBytes;
  for (std::uint64_t number = region.range.begin / kUnitBytes; number < end; ++number) {
    if (const TouchedUnit* unit = touches_.find(number)) {
      units.push_back(*unit);
    }
  }
  return units;
}

}  // namespace nestbind::memory
