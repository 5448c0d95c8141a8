// SPDX-License-Identifier: BSD-3-Clause
#include "loops/schedule.hpp"
#include "support/caret.hpp"

namespace nestbind::loops {
namespace {

// By Error.
constexpr const char* kMeanings[] = {"no error",
                                     "empty schedule",
                                     "unknown schedule",
                                     "missing or unknown option",
                                     "option given twice",
                                     "not a fraction",
                                     "not a chunk",
                                     "not a number in its range",
                                     "missing or unknown word",
                                     "missing separator"};
static_assert(sizeof kMeanings / sizeof kMeanings[0] == kErrors);

}  // namespace

const char* meaning(Error error) {
  const auto number = static_cast<unsigned>(error);
  return number < kErrors ? kMeanings[number] : "unknown error";
}

std::size_t describe(std::string_view text, const Fault& fault, char* buffer, std::size_t size) {
  return support::describe(text, fault.position, meaning(fault.error), fault.expected, buffer,
                           size);
}

}  // namespace nestbind::loops
