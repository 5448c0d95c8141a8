// SPDX-License-Identifier: BSD-3-Clause
// libFuzzer: the parser of specifications must give a consistent answer for any text.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>

#include "spec/spec.hpp"

namespace {

using namespace nestbind::spec;

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

// Returns the same text in capital letters, and with blanks around commas and "@".
std::string retyped(std::string_view text) {
  std::string typed = "\t";
  for (const char c : text) {
    if (c == ',' || c == '@') {
      typed += " \n";
      typed += c;
      typed += '\r';
    } else {
      typed += c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    }
  }
  return typed + " ";
}

void check_good(std::string_view text, const Spec& spec) {
  require(spec.levels >= 0 && spec.levels <= kMaxLevels,
          "a good text has at most kMaxLevels levels");
  require((spec.is_off() || spec.is_auto) == (text.find(',') == text.npos),
          "only the words off and auto have no commas");
  long threads = 1;
  for (int i = 0; i < spec.levels; ++i) {
    const Level& level = spec.level[i];
    require(level.size >= 0, "sizes are positive, or 0 for symbolic ones");
    threads *= level.size > 0 ? level.size : 1;
    require(threads <= kMaxThreads, "the product of the sizes is at most kMaxThreads");
    require(!level.has_domain || takes_domain(level.strategy), "only sub strategies have a domain");
  }

  const auto buffer = buffer_of(kMaxText);
  const std::size_t length = print(spec, buffer.get(), kMaxText);
  require(length < kMaxText, "every canonical text fits kMaxText");
  const std::string canonical(buffer.get(), length);
  require(std::strlen(canonical.c_str()) == length, "the canonical text has no nul");

  Spec again;
  Fault fault;
  require(parse(canonical, again, fault) && again == spec, "parse(print(spec)) is spec");
  require(parse(retyped(text), again, fault) && again == spec, "case and blanks do not matter");

  for (std::size_t size = 0; size <= length + 2; size += 1 + size / 8) {
    const auto small = buffer_of(size);
    require(print(spec, small.get(), size) == length, "print returns the length of the whole text");
    require(size == 0 || std::strlen(small.get()) == (size <= length ? size - 1 : length),
            "print fills the buffer");
  }
}

void check_bad(std::string_view text, const Fault& fault) {
  require(fault.error > NESTBIND_OK && fault.error <= NESTBIND_TOO_MANY_LEVELS,
          "a fault is one of the text's errors");
  require(fault.position <= text.size(), "a fault is in the text, or at its end");
  require(fault.expected != nullptr && fault.expected[0] != '\0', "something was expected");

  const auto buffer = buffer_of(kMaxMessage);
  const std::size_t length = describe(text, fault, buffer.get(), kMaxMessage);
  require(length + 1 < kMaxMessage, "every message fits kMaxMessage");
  const std::string message(buffer.get(), length);
  require(std::strlen(message.c_str()) == length, "a message has no nul");
  int newlines = 0;
  for (const char c : message) {
    newlines += c == '\n' ? 1 : 0;
    require(c == '\n' || (c >= ' ' && c <= '~'), "a message is printable");
  }
  require(newlines == 2 && message.back() == '^', "a message has three lines, the last a caret");

  for (std::size_t size = 0; size <= length + 2; size += 1 + size / 8) {
    const auto small = buffer_of(size);
    const std::size_t written = describe(text, fault, small.get(), size);
    require(written == (size == 0        ? 0
                        : size <= length ? size - 1
                                         : length),
            "a message fills the buffer");
    require(size == 0 || message.substr(0, written) == small.get(),
            "a small buffer has the beginning of the message");
  }

  // The text must have no fault before the reported fault.
  Spec spec;
  Fault earlier;
  require(
      parse(text.substr(0, fault.position), spec, earlier) || earlier.position == fault.position,
      "the reported fault is the first one");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const Spec untouched;
  Spec spec;
  Fault fault;
  if (parse(text, spec, fault)) {
    check_good(text, spec);
  } else {
    require(spec == untouched, "a bad text leaves the specification alone");
    check_bad(text, fault);
  }
  return 0;
}
