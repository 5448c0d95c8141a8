// SPDX-License-Identifier: BSD-3-Clause
// libFuzzer: the parser of schedules must give a consistent answer for any text.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>

#include "loops/schedule.hpp"

namespace {

using namespace nestbind::loops;

constexpr std::size_t kMaxMessage = 512;

void require(bool holds, const char* what) {
  if (!holds) {
    std::fprintf(stderr, "does not hold: %s\n", what);
    std::abort();
  }
}

// On the heap, so that AddressSanitizer notices a write after the end.
std::unique_ptr<char[]> buffer_of(std::size_t size) {
  return std::unique_ptr<char[]>(new char[size]);
}

// Returns the same text in capital letters, and with blanks around commas and "=".
std::string retyped(std::string_view text) {
  std::string typed = "\t";
  for (const char c : text) {
    if (c == ',' || c == '=') {
      typed += " \n";
      typed += c;
      typed += '\r';
    } else {
      typed += c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    }
  }
  return typed + " ";
}

// Options that do not belong to the kind of the schedule must have their default values.
void check_options(const Schedule& schedule) {
  Schedule own = schedule;
  const Schedule usual;
  if (schedule.kind == Kind::kNative) {
    own = usual;
  } else if (schedule.kind == Kind::kHybrid) {
    own.blocks = usual.blocks;
    own.every = usual.every;
    own.steal = usual.steal;
    own.alpha = usual.alpha;
  } else {
    own = usual;
    own.kind = schedule.kind;
    own.blocks = schedule.blocks;
    own.every = schedule.every;
    own.steal = schedule.steal;
    own.alpha = schedule.alpha;
    own.taken = schedule.taken;
  }
  require(own == schedule, "each kind has its own options only");
  require(schedule.blocks >= kFewestBlocks && schedule.blocks <= kMostBlocks,
          "blocks are in their range");
  require(schedule.every <= kMaxEvery, "executions are in their range");
  require(schedule.steal >= 0 && schedule.steal <= Schedule::kWhole, "a part is from 0 to 1");
  require(schedule.alpha >= Schedule::kAuto && schedule.alpha <= Schedule::kWhole,
          "alpha is automatic, or from 0 to 1");
}

void check_good(std::string_view text, const Schedule& schedule) {
  require(schedule.fraction >= Schedule::kAuto && schedule.fraction <= Schedule::kWhole,
          "a fraction is automatic, or from 0 to 1");
  require(!schedule.has_fraction() ||
              (schedule.static_parts() >= 0 && schedule.static_parts() <= kParts),
          "a fraction has 0 to kParts parts");
  require(schedule.chunk <= kMaxChunk, "a chunk is at most kMaxChunk");
  check_options(schedule);

  const auto buffer = buffer_of(kMaxText);
  const std::size_t length = print(schedule, buffer.get(), kMaxText);
  require(length < kMaxText, "every canonical text fits kMaxText");
  const std::string canonical(buffer.get(), length);
  Schedule again;
  Fault fault;
  require(parse(canonical, again, fault) && again == schedule,
          "parse(print(schedule)) is schedule");
  require(parse(retyped(text), again, fault) && again == schedule, "case and blanks do not matter");
  for (std::size_t size = 0; size <= length + 2; ++size) {
    const auto small = buffer_of(size);
    require(print(schedule, small.get(), size) == length,
            "print returns the length of the whole text");
    require(size == 0 || canonical.substr(0, size - 1) == small.get(), "print fills the buffer");
  }
}

void check_bad(std::string_view text, const Fault& fault) {
  require(fault.error > Error::kNone && static_cast<int>(fault.error) < kErrors,
          "a fault is one of the text's errors");
  require(fault.position <= text.size(), "a fault is in the text, or at its end");
  require(fault.expected != nullptr && fault.expected[0] != '\0', "something was expected");
  const auto buffer = buffer_of(kMaxMessage);
  const std::size_t length = describe(text, fault, buffer.get(), kMaxMessage);
  require(length + 1 < kMaxMessage && buffer[length - 1] == '^', "a message ends with the caret");
  // The text must have no fault before the reported fault.
  Schedule schedule;
  Fault earlier;
  require(parse(text.substr(0, fault.position), schedule, earlier) ||
              earlier.position == fault.position,
          "the reported fault is the first one");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const Schedule untouched;
  Schedule schedule;
  Fault fault;
  if (parse(text, schedule, fault)) {
    check_good(text, schedule);
  } else {
    require(schedule == untouched, "a bad text leaves the schedule alone");
    check_bad(text, fault);
  }
  return 0;
}
