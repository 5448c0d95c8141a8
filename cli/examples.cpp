// SPDX-License-Identifier: BSD-3-Clause
#include "cli/examples.hpp"

#include <fmt/core.h>

namespace nestbind::cli {

namespace {

constexpr char kSpecification[] =
    "SPEC: SIZE,STRATEGY[@OBJECT] for each level, outermost first; nestbind-spec(7)\n"
    "  SIZE      a number; package, numa, l3, l2, core or pu: a thread for each\n"
    "  STRATEGY  scatter: far apart; compact: close together; subscatter, subcompact:\n"
    "            the same, near the thread that forks the team\n"
    "  OBJECT    board, package, numa, l3 or l2: within that one, behind the sub ones\n\n";

}  // namespace

std::string text_of_examples(const Example& first, const Example& second, bool has_specification) {
  std::string text = has_specification ? kSpecification : "";
  text += "Examples:\n";
  for (const Example& example : {first, second}) {
    text += fmt::format("  {}\n      {}\n", example.line, example.does);
  }
  return text;
}

}  // namespace nestbind::cli
