// SPDX-License-Identifier: BSD-3-Clause
#include "cli/tune/run_output.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>

#include "process/traced.hpp"

namespace nestbind::cli::tune {

namespace {

// A nul character ends a line's text.
template <typename Visit>
void each_line(const std::string& name, Visit visit) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(
      std::fopen(name.c_str(), "re"), [](std::FILE* open) { return std::fclose(open); });
  char* line = nullptr;
  std::size_t room = 0;
  ssize_t length = 0;
  while (file && (length = getline(&line, &room, file.get())) > 0) {
    line[length - 1] = line[length - 1] == '\n' ? '\0' : line[length - 1];
    visit(std::string(line));
  }
  std::free(line);
}

using process::Traced;

struct Forked {
  long code = 0;
  double begin = 0;
};

}  // namespace

std::optional<LinePattern> LinePattern::of(const std::string& text, std::size_t groups,
                                           std::string& fault) {
  auto* const made = new regex_t{};
  const int error = regcomp(made, text.c_str(), REG_EXTENDED);
  if (error != 0) {
    char words[200];
    regerror(error, made, words, sizeof words);
    delete made;
    fault = words;
    return std::nullopt;
  }
  LinePattern pattern;
  pattern.compiled_ = std::shared_ptr<const regex_t>(made, [](const regex_t* done) {
    regfree(const_cast<regex_t*>(done));
    delete done;
  });
  if (made->re_nsub < groups) {
    fault = "it has no group in parentheses, which marks the number";
    return std::nullopt;
  }
  return pattern;
}

bool LinePattern::matches(const std::string& line) const {
  return regexec(compiled_.get(), line.c_str(), 0, nullptr, 0) == 0;
}

std::optional<std::string> LinePattern::first_group(const std::string& line) const {
  regmatch_t found[2];
  if (regexec(compiled_.get(), line.c_str(), 2, found, 0) != 0 || found[1].rm_so < 0) {
    return std::nullopt;
  }
  return line.substr(static_cast<std::size_t>(found[1].rm_so),
                     static_cast<std::size_t>(found[1].rm_eo - found[1].rm_so));
}

std::optional<double> number_of(const std::string& text) {
  char* end = nullptr;
  const double number = std::strtod(text.c_str(), &end);
  const bool is_number = end != text.c_str();
  while (std::isspace(static_cast<unsigned char>(*end)) != 0) {
    ++end;
  }
  return is_number && *end == '\0' && std::isfinite(number) ? std::optional(number) : std::nullopt;
}

std::optional<double> last_number(const LinePattern& pattern,
                                  const std::vector<std::string>& files) {
  for (const std::string& name : files) {
    std::optional<std::string> last;
    each_line(name, [&](const std::string& line) {
      if (auto group = pattern.first_group(line)) {
        last = std::move(group);
      }
    });
    if (last) {
      return number_of(*last);
    }
  }
  return std::nullopt;
}

std::vector<std::string> matching_lines(const LinePattern& pattern,
                                        const std::vector<std::string>& files) {
  std::vector<std::string> lines;
  for (const std::string& name : files) {
    each_line(name, [&](const std::string& line) {
      if (pattern.matches(line)) {
        lines.push_back(line);
      }
    });
  }
  return lines;
}

std::optional<SlowestRegion> slowest_region(std::istream& trace) {
  std::map<long, SlowestRegion> regions;  // by the address of the region's code
  std::map<long, Forked> forked;          // outermost regions that still run, by thread
  double all = 0;
  std::string line;
  while (std::getline(trace, line)) {
    double time = 0;
    long thread = 0;
    int event = 0;
    long first = 0;
    long second = 0;
    int used = 0;
    if (std::sscanf(line.c_str(), "%lf %ld %d %ld %ld %*d %n", &time, &thread, &event, &first,
                    &second, &used) != 5) {
      continue;
    }
    const auto kind = static_cast<Traced>(event);
    if (kind == Traced::kRegion) {
      regions[first].module = line.substr(static_cast<std::size_t>(used));
      regions[first].address = static_cast<std::uint64_t>(second);
    } else if (kind == Traced::kFork && first == 1) {
      forked[thread] = {second, time};
    } else if (kind == Traced::kLeft && first == 1 && second == 0) {
      const auto open = forked.find(thread);
      if (open != forked.end()) {
        regions[open->second.code].seconds += time - open->second.begin;
        all += time - open->second.begin;
        forked.erase(open);
      }
    }
  }
  const auto slowest = std::ranges::max_element(
      regions, {}, [](const auto& region) { return region.second.seconds; });
  if (slowest == regions.end() || slowest->second.module.empty() || slowest->second.seconds <= 0) {
    return std::nullopt;
  }
  slowest->second.all = all;
  return slowest->second;
}

}  // namespace nestbind::cli::tune
