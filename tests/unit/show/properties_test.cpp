// SPDX-License-Identifier: BSD-3-Clause
// Invariants for the picture of every machine, mask and specification.
#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <random>
#include <regex>
#include <set>
#include <sstream>

#include "drawn.hpp"
#include "mask/cpu_list.hpp"

using namespace nestbind;

namespace {

using Random = std::mt19937;

int pick(Random& random, int low, int high) {
  return std::uniform_int_distribution<int>(low, high)(random);
}

template <typename T>
const T& one_of(Random& random, const std::vector<T>& choices) {
  return choices[static_cast<std::size_t>(pick(random, 0, static_cast<int>(choices.size()) - 1))];
}

std::vector<std::string> all_machines() {
  std::vector<std::string> machines = {"barcelona",
                                       "tigerton",
                                       "numa16",
                                       "numa32",
                                       "nehalem-sun",
                                       "nehalem-hp",
                                       "scalemp",
                                       "bielefeld",
                                       "hybrid",
                                       "grouped",
                                       "pack:2 numa:2 core:4 pu:1",
                                       "pack:2 l3:2 l2:2 core:2 pu:2",
                                       "group:2 pack:2 numa:2 l2:2 core:2 pu:2",
                                       "core:6 pu:4",
                                       "pu:5",
                                       "pack:1 core:1 pu:1",
                                       "pack:1 [numa] [numa] l2:8 core:2 pu:4"};
  const std::filesystem::path real =
      std::filesystem::path(NESTBIND_SOURCE_DIR) / ".." / "shared" / "machines" / "real";
  if (std::filesystem::is_directory(real)) {
    for (const auto& file : std::filesystem::directory_iterator(real)) {
      machines.push_back(file.path().string());
    }
  }
  return machines;
}

std::string random_spec(Random& random) {
  static const std::vector<std::string> strategies = {"scatter", "compact", "subscatter",
                                                      "subcompact"};
  static const std::vector<std::string> sizes = {"package", "numa", "l3", "l2", "core"};
  const int levels = pick(random, 1, 3);
  std::string text;
  for (int level = 0; level < levels; ++level) {
    const std::string size =
        pick(random, 0, 4) == 0 ? one_of(random, sizes) : std::to_string(pick(random, 1, 8));
    text += (level == 0 ? "" : ",") + size + "," + one_of(random, strategies);
  }
  return text;
}

std::string random_mask(Random& random, const machine::Hardware& hardware) {
  if (pick(random, 0, 1) == 0) {
    return "";
  }
  std::vector<int> cpus;
  for (std::size_t p = 0; p < hardware.cpus.size(); ++p) {
    if (hardware.is_allowed[p] && pick(random, 0, 2) > 0) {
      cpus.push_back(hardware.cpus[p]);
    }
  }
  return cpus.empty() ? "" : mask::list(cpus);
}

// Returns the numbers of free cores and of allowed cores. A core is free if no bound thread is on
// it.
std::pair<int, int> free_of_all(const drawn::Planned& planned) {
  const bool has_one = planned.layout.machine.slots.size() == 1;
  std::set<int> used;
  for (const show::ThreadRow& thread : planned.layout.threads) {
    if (thread.is_bound || has_one) {
      const auto& cpus = planned.layout.machine.slots[thread.slot].cpus;
      used.insert(cpus.begin(), cpus.end());
    }
  }
  const auto may_be_used = [&](int p) {
    return planned.hardware.is_allowed[p] &&
           (!planned.allowed || std::ranges::count(*planned.allowed, planned.hardware.cpus[p]) > 0);
  };
  std::pair<int, int> free_of{0, 0};
  for (const machine::Object& object : planned.hardware.objects) {
    if (object.type == machine::Type::kCore) {
      bool is_there = false;
      bool is_used = false;
      for (int p = object.begin; p < object.end; ++p) {
        is_there = is_there || may_be_used(p);
        is_used = is_used || used.contains(planned.hardware.cpus[p]);
      }
      free_of.first += is_there && !is_used ? 1 : 0;
      free_of.second += is_there ? 1 : 0;
    }
  }
  return free_of;
}

std::string free_text(const drawn::Planned& planned) {
  const auto [free, all] = free_of_all(planned);
  const std::string word = planned.hardware.has_cores ? "core" : "processor";
  return free == 0 ? "no " + word + " is free"
                   : ". free: " + std::to_string(free) + " of " + std::to_string(all) + " " + word +
                         (all == 1 ? "" : "s");
}

std::string plain(const std::vector<show::Line>& lines) { return show::text_of(lines, {}); }

struct Told {
  std::set<std::string> paths;
  // Each range is from one pattern to another. A level of a pattern may be a number, "*" or a set
  // of numbers.
  std::vector<std::pair<std::vector<std::string>, std::vector<std::string>>> ranges;
};

std::vector<std::string> places_of(const std::string& pattern) {
  std::vector<std::string> places;
  std::istringstream in(pattern);
  for (std::string place; std::getline(in, place, '.');) {
    places.push_back(place);
  }
  return places;
}

Told read(const std::string& picture) {
  Told told;
  const std::string text = std::regex_replace(picture, std::regex("teams? of ([0-9,-]+)"), "$1.*");
  static const std::regex alike(R"(alike: ([0-9.*,-]+)(?: to ([0-9.*,-]+))?)");
  static const std::regex cores(
      R"((?:core|processor)s? [0-9-]+(?:, [0-9]+ at a time)?: (.*?) to ([^|\n]*?) *[|\n])");
  static const std::regex range(R"(([0-9.]+)-([0-9.]+))");
  static const std::regex path(R"([0-9]+(?:\.[0-9]+)*)");
  const auto each = [&](const std::regex& pattern, const std::string& in, auto visit) {
    for (auto at = std::sregex_iterator(in.begin(), in.end(), pattern);
         at != std::sregex_iterator(); ++at) {
      visit(*at);
    }
  };
  each(path, text, [&](const std::smatch& match) { told.paths.insert(match.str()); });
  const auto put = [&](const std::string& from, const std::string& to) {
    told.ranges.emplace_back(places_of(from), places_of(to));
  };
  each(alike, text, [&](const std::smatch& match) {
    put(match.str(1), match.length(2) > 0 ? match.str(2) : match.str(1));
  });
  each(range, text, [&](const std::smatch& match) { put(match.str(1), match.str(2)); });
  each(cores, text, [&](const std::smatch& match) {
    // A folded block names the threads of its first and of its last core. The i-th threads of both
    // cores are the ends of a range.
    std::vector<std::string> from;
    std::vector<std::string> to;
    const std::string first = match.str(1);
    const std::string last = match.str(2);
    each(path, first, [&](const std::smatch& one) { from.push_back(one.str()); });
    each(path, last, [&](const std::smatch& one) { to.push_back(one.str()); });
    for (std::size_t i = 0; i < std::min(from.size(), to.size()); ++i) {
      put(from[i], to[i]);
    }
  });
  return told;
}

bool is_between(int number, const std::string& from, const std::string& to) {
  if (from == "*" || to == "*") {
    return true;
  }
  const auto first = mask::parse_list(from);
  const auto last = mask::parse_list(to);
  return first && last && first->front() <= number && number <= last->back();
}

bool is_told(const std::vector<int>& path, const Told& told) {
  std::string text;
  for (const int number : path) {
    text += (text.empty() ? "" : ".") + std::to_string(number);
  }
  return told.paths.contains(text) || std::ranges::any_of(told.ranges, [&](const auto& range) {
           const auto& [from, to] = range;
           if (from.empty() || from.size() != to.size() || from.size() > path.size() ||
               (from.size() < path.size() && from.back() != "*")) {
             return false;
           }
           for (std::size_t i = 0; i < from.size(); ++i) {
             if (!is_between(path[i], from[i], to[i])) {
               return false;
             }
           }
           return true;
         });
}

struct Case {
  std::string machine, cpus, spec;
};

Case random_case(Random& random, const std::string& machine) {
  return {machine, random_mask(random, drawn::hardware(machine)), random_spec(random)};
}

show::Picture draw(const drawn::Planned& planned, const show::Canvas& canvas) {
  const show::Whole whole = planned.whole();
  return show::draw(planned.hardware, planned.allowed, show::occupants_of(planned.layout, whole),
                    canvas);
}

}  // namespace

TEST_CASE("no line is wider than the canvas") {
  Random random(14);
  for (const std::string& machine : all_machines()) {
    for (int round = 0; round < 12; ++round) {
      const Case drawn_case = random_case(random, machine);
      const auto planned = drawn::plan({machine, drawn_case.cpus}, drawn_case.spec);
      const show::Canvas canvas{pick(random, 1, 150), pick(random, 1, 50), false,
                                pick(random, 0, 1) == 1};
      const show::Picture picture = draw(planned, canvas);
      CAPTURE(machine, drawn_case.cpus, drawn_case.spec, canvas.columns, canvas.rows);
      const int most = std::max(canvas.columns, show::kFewestColumns);
      for (const auto* lines : {&picture.lines, &picture.legend}) {
        REQUIRE(!lines->empty());
        for (const show::Line& line : *lines) {
          REQUIRE(show::width_of(line) <= most);
        }
      }
      const std::string both =
          plain(show::beside(picture.lines, picture.lines, most, 2)) +
          show::pictures_of(planned.layout, planned.layout, planned.whole(), canvas);
      std::istringstream in(both);
      for (std::string line; std::getline(in, line);) {
        REQUIRE(show::width_of({{line}}) <= 2 * most + 2);
      }
    }
  }
}

TEST_CASE("each thread is drawn, or is in a folded part") {
  Random random(15);
  for (const std::string& machine : all_machines()) {
    for (int round = 0; round < 12; ++round) {
      const Case drawn_case = random_case(random, machine);
      const auto planned = drawn::plan({machine, drawn_case.cpus}, drawn_case.spec);
      const int rows = pick(random, 0, 1) == 0 ? 1 : 1000;
      const show::Picture picture = draw(planned, {4000, rows, false, false});
      const std::string text = plain(picture.lines);
      const Told told = read(text);
      CAPTURE(machine, drawn_case.cpus, drawn_case.spec, text);
      for (const show::ThreadRow& thread : planned.layout.threads) {
        REQUIRE((is_told(thread.path, told) || text.find(" more") != std::string::npos));
      }
    }
  }
}

TEST_CASE("each free core is counted") {
  Random random(16);
  for (const std::string& machine : all_machines()) {
    for (int round = 0; round < 12; ++round) {
      const Case drawn_case = random_case(random, machine);
      const auto planned = drawn::plan({machine, drawn_case.cpus}, drawn_case.spec);
      const show::Picture picture = draw(planned, {100, pick(random, 1, 60), false, false});
      CAPTURE(machine, drawn_case.cpus, drawn_case.spec);
      REQUIRE(plain(picture.legend).starts_with(free_text(planned)));
    }
  }
}

TEST_CASE("each free core has a dot if nothing is folded") {
  Random random(17);
  for (const std::string machine : {"barcelona", "tigerton", "numa16", "scalemp", "bielefeld"}) {
    for (int round = 0; round < 12; ++round) {
      const Case drawn_case = random_case(random, machine);
      const auto planned = drawn::plan({machine, drawn_case.cpus}, drawn_case.spec);
      const std::string text = plain(draw(planned, {120, 1000, false, true}).lines);
      int dots = 0;
      for (std::size_t at = text.find("·"); at != std::string::npos; at = text.find("·", at + 1)) {
        ++dots;
      }
      CAPTURE(machine, drawn_case.cpus, drawn_case.spec, text);
      REQUIRE(dots == free_of_all(planned).first);
    }
  }
}

TEST_CASE("a picture fits the rows of the canvas if folding can achieve this") {
  for (const std::string machine :
       {"barcelona", "tigerton", "numa16", "numa32", "nehalem-sun", "scalemp", "bielefeld",
        "pack:16 core:64 pu:1", "pack:2 [numa] l3:8 core:8 pu:2"}) {
    for (const char* spec : {"package,scatter", "package,scatter,2,subcompact", "core,scatter"}) {
      const auto planned = drawn::plan({machine}, spec);
      CAPTURE(machine, spec);
      CHECK(draw(planned, {80, 24, false, true}).lines.size() <= 24);
    }
  }
}
