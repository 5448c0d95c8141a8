// SPDX-License-Identifier: BSD-3-Clause
// A subcommand as its file add_NAME.cpp describes it: its words, where their values go, and what
// its help says. Behind it is CLI11, whose header takes longer to compile than all that a
// subcommand says of itself: here are the few things of it that they need.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cli/examples.hpp"

namespace CLI {
class App;
}

namespace nestbind::cli {

// Least and most of a number; both may be given.
struct Range {
  double least;
  double most;
};

// Before the words that an option may have, in the name of what checks them.
inline constexpr char kWordsMark[] = "words:";

// All that it is given by reference outlives the parsing. A copy describes the same subcommand.
class Subcommand {
 public:
  // does: a line of the help, without a full stop.
  Subcommand(CLI::App& app, const char* name, const char* does);

  // What is typed without an option before it: SPEC, FILE. Where it is not typed, the value stays
  // as it is.
  void argument(const char* name, std::string& value, const std::string& help) const;
  void arguments(const char* name, std::vector<std::string>& values, const std::string& help) const;
  void arguments(const char* name, std::vector<int>& values, Range range,
                 const std::string& help) const;

  // type: what its value is called in the help. if_empty: what is said of an empty value, which is
  // refused then.
  void option(const char* name, std::string& value, const char* type, const std::string& help,
              const char* if_empty = nullptr) const;
  void option(const char* name, std::optional<std::string>& value, const char* type,
              const std::string& help) const;
  void option(const char* name, double& value, const char* type, const std::string& help) const;
  void option(const char* name, std::optional<double>& value, const char* type,
              const std::string& help) const;
  void option(const char* name, std::uint64_t& value, const char* type,
              const std::string& help) const;
  void option(const char* name, int& value, Range range, const char* type,
              const std::string& help) const;
  void option(const char* name, double& value, Range range, const char* type,
              const std::string& help) const;
  // Typed without a value, it has the one that is named here.
  void option_with_bare(const char* name, const char* bare, std::string& value,
                        const std::string& help) const;
  // Its value is one of some words; another one is refused, with the nearest of them.
  void option_of_words(const char* name, std::string& value, const std::vector<std::string>& words,
                       const char* type, const std::string& help) const;
  void flag(const char* name, bool& value, const std::string& help) const;

  // Of words that are described already.
  void require(const char* name) const;
  void exclude(const char* name, const char* other) const;

  // Ways to call it, behind its name, where its options do not tell them.
  void usages(std::vector<std::string> usages) const;
  // What is no word of its own, and all behind that, is a program with its arguments.
  void take_program() const;
  // Of options that are given twice the last one counts; for those that are described from here on.
  void take_last() const;
  // Two, below its help.
  void examples(const Example& first, const Example& second) const;
  // What happens once its words are parsed.
  void does(const std::function<void()>& action) const;

  // While it does what it is for: whether a word was typed; what is left of the words where it
  // takes a program; and that it cannot go on without one, which is said as of a word that is
  // required, with what it could be. The latter does not return.
  bool has(const char* name) const;
  const CLI::App& parsed() const { return *app_; }
  [[noreturn]] static void refuse_without(const char* name, const char* hint);

 private:
  CLI::App* app_;
};

}  // namespace nestbind::cli
