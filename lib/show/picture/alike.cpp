// SPDX-License-Identifier: BSD-3-Clause
#include "show/picture/alike.hpp"

#include <algorithm>

#include "mask/cpu_list.hpp"

namespace nestbind::show::picture {

namespace {

// Compares two parts, and finds the shift on the way.
class Comparison {
 public:
  Comparison(const Part& from, const Part& to, const std::vector<Occupant>& occupants)
      : occupants_(occupants), begins_{from.begin, to.begin} {
    is_alike_ = compare(from, to);
  }

  std::optional<Shift> shift() const {
    return is_alike_ ? std::optional(shift_.value_or(Shift{})) : std::nullopt;
  }

 private:
  bool compare(const Part& from, const Part& to) {
    return from.is_core == to.is_core && from.end - from.begin == to.end - to.begin &&
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
  } begins_;
  std::optional<Shift> shift_;
  bool is_alike_ = false;
};

bool is_reached(const Part& part) {
  return std::ranges::any_of(part.stretches, &Stretch::is_reached) ||
         std::ranges::any_of(part.parts, is_reached);
}

// The number at one place of all paths: the number itself, a range of those that there are, or "*".
std::string numbers_at(std::size_t place, const std::vector<int>& who, const Shift& shift,
                       int times, const std::vector<Occupant>& occupants) {
  std::vector<int> numbers;
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

// The paths of all these, shifted so many times: "2-3.*".
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

}  // namespace

std::optional<Shift> shift_between(const Part& from, const Part& to,
                                   const std::vector<Occupant>& occupants) {
  return Comparison(from, to, occupants).shift();
}

Run run_from(const std::vector<const Part*>& parts, std::size_t first,
             const std::vector<Occupant>& occupants) {
  Run run;
  for (std::size_t next = first + 1; next < parts.size(); ++next) {
    const auto shift = shift_between(*parts[next - 1], *parts[next], occupants);
    if (!shift || (run.followers > 0 && *shift != run.shift)) {
      break;
    }
    run.shift = *shift;
    ++run.followers;
  }
  return run;
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

std::string run_text(const Part& first, const Run& run, const std::vector<Occupant>& occupants) {
  const std::vector<int> who = occupants_in(first);
  if (who.empty()) {
    return is_reached(first) ? "~" : "free";
  }
  if (run.shift.place < 0) {
    return "the same threads";
  }
  const std::string text = pattern(who, run.shift, 1, occupants);
  return run.followers == 1 ? text
                            : text + " to " + pattern(who, run.shift, run.followers, occupants);
}

}  // namespace nestbind::show::picture
