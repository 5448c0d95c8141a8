// SPDX-License-Identifier: BSD-3-Clause
#include "cli/arguments.hpp"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <iterator>

#include "cli/nearest.hpp"
#include "options/table.hpp"

namespace nestbind::cli {

namespace {

bool is_number(const std::string& word) {
  return word.size() > 1 && word[0] == '-' &&
         std::isdigit(static_cast<unsigned char>(word[1])) != 0;
}

// A specification that begins with a negative number is not an option: it has a fault of its own,
// which its parser explains. A blank in front does not matter there.
std::string shield(const std::string& word) { return is_number(word) ? " " + word : word; }

// No specification begins so.
bool is_report(const std::string& word) {
  const std::string format = word.substr(0, word.find_first_of(",:"));
  const auto& words = options::kTable[options::kReport].rule.words;
  return std::any_of(std::begin(words), std::end(words),
                     [&](const char* one) { return one != nullptr && format == one; });
}

// Of the options of run: whether the next word is the value of this one.
bool takes_next(const std::string& word) {
  for (const options::Row& row : options::kTable) {
    if (row.option.name != nullptr && word == row.option.name) {
      return row.option.bare == nullptr;
    }
  }
  return word == "--topology" || word == "--cpus" || word == "--library";
}

// The value of --report, which may be left out, may stand behind a blank too: as far as the words
// are run's own, and not the program's. Returns how many those are.
std::size_t join_report(std::vector<std::string>& words) {
  bool has_spec = false;
  for (std::size_t i = 1; i < words.size(); ++i) {
    const bool is_option = words[i].starts_with('-') && !is_number(words[i]);
    if (words[i] == "--report" && i + 1 < words.size() && is_report(words[i + 1])) {
      words[i] += "=" + words[i + 1];
      words.erase(words.begin() + static_cast<std::ptrdiff_t>(i) + 1);
    } else if (is_option) {
      i += takes_next(words[i]) ? 1 : 0;
    } else if (has_spec) {
      return i;
    } else {
      has_spec = true;
    }
  }
  return words.size();
}

// Also where it is misspelt: what is refused is in an eval.
bool is_print_env(const std::string& word) { return !nearest(word, {"--print-env"}).empty(); }

}  // namespace

Arguments split(int argc, char** argv) {
  Arguments arguments;
  std::vector<std::string>& own = arguments.own;
  own.assign(argv + std::min(argc, 1), argv + argc);
  const bool is_run = !own.empty() && own[0] == "run";
  const bool takes_program = is_run || (!own.empty() && (own[0] == "tune" || own[0] == "memory"));
  const auto dashes = takes_program ? std::find(own.begin(), own.end(), "--") : own.end();
  if (dashes != own.end()) {
    arguments.program.assign(dashes + 1, own.end());
    own.erase(dashes, own.end());
  }
  const std::size_t words = is_run ? join_report(own) : own.size();
  arguments.prints =
      std::any_of(own.begin(), own.begin() + static_cast<std::ptrdiff_t>(words), is_print_env);
  // Without "--" the program's own arguments are among them.
  if (!is_run || !arguments.program.empty()) {
    std::transform(own.begin(), own.end(), own.begin(), shield);
  }
  return arguments;
}

void unshield(std::string& spec) { spec.erase(0, spec.starts_with(" -") ? 1 : 0); }

}  // namespace nestbind::cli
