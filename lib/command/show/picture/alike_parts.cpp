// SPDX-License-Identifier: BSD-3-Clause
#include "show/picture/alike_parts.hpp"

#include <algorithm>
#include <optional>

#include "mask/cpu_list.hpp"

namespace nestbind::show::picture {

namespace {

class Comparison {
 public:
  explicit Comparison(const std::vector<Occupant>& occupants) : occupants_(occupants) {}

  // Whether the two parts are alike, and have the same shift as all earlier pairs.
  bool add(const Part& from, const Part& to) {
    begins_ = {from.begin, to.begin};
    return compare(from, to);
  }

  Shift shift() const { return shift_.value_or(Shift{}); }

 private:
  bool compare(const Part& from, const Part& to) {
    return from.is_core == to.is_core && from.devices.empty() && to.devices.empty() &&
           from.end - from.begin == to.end - to.begin &&
           std::ranges::equal(from.labels, to.labels,
                              [](const Label& a, const Label& b) {
                                return a.kind == b.kind && a.numbers.size() == b.numbers.size();
                              }) &&
           std::ranges::equal(from.stretches, to.stretches,
                              [&](const Stretch& a, const Stretch& b) {
                                return a.processors == b.processors &&
                                       a.is_reached == b.is_reached &&
                                       are_shifted(a.occupants, b.occupants);
                              }) &&
           std::ranges::equal(
               from.roamers, to.roamers,
               [&](const Roamers& a, const Roamers& b) {
                 return std::ranges::equal(
                            a.processors, b.processors,
                            [&](int p, int q) { return p - begins_.from == q - begins_.to; }) &&
                        are_shifted(a.occupants, b.occupants);
               }) &&
           std::ranges::equal(from.parts, to.parts,
                              [&](const Part& a, const Part& b) { return compare(a, b); });
  }

  bool are_shifted(const std::vector<int>& from, const std::vector<int>& to) {
    return std::ranges::equal(
        from, to, [&](int a, int b) { return is_shifted(occupants_[a], occupants_[b]); });
  }

  bool is_shifted(const Occupant& from, const Occupant& to) {
    if (from.path.size() != to.path.size() || from.mark != to.mark || from.name != to.name) {
      return false;
    }
    Shift shift;
    for (std::size_t place = 0; place < from.path.size(); ++place) {
      if (from.path[place] != to.path[place]) {
        if (shift.place >= 0) {
          return false;
        }
        shift = {static_cast<int>(place), to.path[place] - from.path[place]};
      }
    }
    shift_ = shift_.value_or(shift);
    return *shift_ == shift;
  }

  const std::vector<Occupant>& occupants_;
  struct {
    int from, to;
  } begins_{};
  std::optional<Shift> shift_;
};

bool is_reached(const Part& part) {
  return std::ranges::any_of(part.stretches, &Stretch::is_reached) ||
         std::ranges::any_of(part.parts, is_reached);
}

std::string numbers_at(std::size_t place, const std::vector<int>& who, const Shift& shift,
                       int times, const std::vector<Occupant>& occupants) {
  std::vector<int> numbers;
  numbers.reserve(who.size());
  for (const int number : who) {
    numbers.push_back(occupants[number].path[place]);
  }
  if (static_cast<int>(place) == shift.place) {
    for (int& number : numbers) {
      number += times * shift.by;
    }
    return mask::list(numbers);
  }
  const bool is_one = std::ranges::count(numbers, numbers[0]) == std::ssize(numbers);
  return is_one ? std::to_string(numbers[0]) : "*";
}

// Returns a pattern such as "2-3.*" for the paths. `times` is the number of shifts to apply.
std::string pattern(const std::vector<int>& who, const Shift& shift, int times,
                    const std::vector<Occupant>& occupants) {
  const auto depth = [&](int number) { return occupants[number].path.size(); };
  const auto [least, most] = std::ranges::minmax(who, {}, depth);
  std::string text;
  for (std::size_t place = 0; place < depth(least); ++place) {
    text += (place == 0 ? "" : ".") + numbers_at(place, who, shift, times, occupants);
  }
  return depth(most) > depth(least) ? text + ".*" : text;
}

std::vector<int> occupants_in(const Part& part) {
  std::vector<int> all;
  const auto add = [&](const std::vector<int>& some) {
    all.insert(all.end(), some.begin(), some.end());
  };
  for (const Roamers& roamers : part.roamers) {
    add(roamers.occupants);
  }
  for (const Stretch& stretch : part.stretches) {
    add(stretch.occupants);
  }
  for (const Part& child : part.parts) {
    add(occupants_in(child));
  }
  return all;
}

// The whole teams of some threads: "2-3.*" becomes "teams of 2-3".
std::string in_words(const std::string& pattern) {
  const std::size_t dot = pattern.find('.');
  if (dot == std::string::npos || pattern.substr(dot) != ".*") {
    return pattern;
  }
  const std::string who = pattern.substr(0, dot);
  const bool is_one = who.find_first_of(",-*") == std::string::npos;
  return (is_one ? "team of " : "teams of ") + who;
}

}  // namespace

Run run_of_blocks(const std::vector<const Part*>& parts, std::size_t first, std::size_t length,
                  const std::vector<Occupant>& occupants) {
  Run run;
  for (std::size_t next = first + length; next + length <= parts.size(); next += length) {
    Comparison comparison(occupants);
    for (std::size_t i = next; i < next + length; ++i) {
      if (!comparison.add(*parts[i - length], *parts[i])) {
        return run;
      }
    }
    if (run.followers > 0 && comparison.shift() != run.shift) {
      return run;
    }
    run.shift = comparison.shift();
    ++run.followers;
  }
  return run;
}

std::string run_text(const Part& first, const Run& run, const std::vector<Occupant>& occupants) {
  const std::vector<int> who = occupants_in(first);
  if (who.empty()) {
    return is_reached(first) ? "~" : "free";
  }
  if (run.shift.place < 0) {
    return "the same threads";
  }
  const std::string text = in_words(pattern(who, run.shift, 1, occupants));
  return run.followers == 1
             ? text
             : text + " to " + in_words(pattern(who, run.shift, run.followers, occupants));
}

}  // namespace nestbind::show::picture
