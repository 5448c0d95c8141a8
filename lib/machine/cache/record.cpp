// SPDX-License-Identifier: BSD-3-Clause
// All numbers are 32 bits; lists are their length and their members.
#include "machine/cache/record.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <utility>

#include "machine/cache/bytes.hpp"

namespace nestbind::machine::cache {
namespace {

constexpr int kMostCpus = 1 << 20;  // operating system numbers, one more than the highest
constexpr int kDeepest = 1000;      // levels of objects; walks down the tree are recursive

template <typename Number>
void put_number(std::string& out, Number value) {
  put(out, static_cast<std::int32_t>(value));
}

template <typename List>
void put_list(std::string& out, const List& members) {
  put_number(out, members.size());
  for (const auto member : members) {
    put_number(out, member);
  }
}

// After a fault all numbers are 0, and all lists empty.
class Reader {
 public:
  explicit Reader(std::string_view bytes) : rest_(bytes) {}

  bool is_good() const { return good_; }
  bool at_end() const { return good_ && rest_.empty(); }

  // A number in [low, high].
  int number(int low, int high) {
    std::int32_t value = 0;
    return !take(rest_, value) || value < low || value > high ? fail() : value;
  }

  // How many follow, of which each takes at least four bytes.
  int count() {
    return number(0, static_cast<int>(std::min<std::size_t>(rest_.size(), kMost) / 4));
  }

  template <typename Member>
  std::vector<Member> list(int low, int high) {
    std::vector<Member> members(count());
    for (std::size_t i = 0; i < members.size(); ++i) {
      members[i] = static_cast<Member>(number(low, high));
    }
    return members;
  }

  int fail() {
    good_ = false;
    rest_ = {};
    return 0;
  }

 private:
  static constexpr std::size_t kMost = 1U << 30;
  std::string_view rest_;
  bool good_ = true;
};

std::vector<int> parents_of(const Hardware& hardware) {
  std::vector<int> parents(hardware.objects.size(), -1);
  for (std::size_t i = 0; i < hardware.objects.size(); ++i) {
    for (const int child : hardware.objects[i].children) {
      parents[child] = static_cast<int>(i);
    }
  }
  return parents;
}

// What every object has, on a level from `highest` on.
Object read_object(Reader& in, int highest) {
  Object here;
  here.type = static_cast<Type>(in.number(0, static_cast<int>(Type::kCore)));
  here.is_board = in.number(0, 1) != 0;
  here.level = in.number(highest, kDeepest);
  return here;
}

// An object behind its parent, in which it lies, after its elder siblings, and on a deeper level.
void read_child(Reader& in, std::vector<Object>& objects) {
  const int index = static_cast<int>(objects.size());
  Object& parent = objects[in.number(0, index - 1)];
  const int first = parent.children.empty() ? parent.begin : objects[parent.children.back()].end;
  Object here = read_object(in, parent.level + 1);
  here.begin = in.number(first, parent.end);
  here.end = in.number(here.begin, parent.end);
  parent.children.push_back(index);
  objects.push_back(std::move(here));
}

void read_objects(Reader& in, Hardware& hardware) {
  const int objects = in.count();
  if (objects == 0) {
    in.fail();
    return;
  }
  hardware.objects.reserve(objects);
  hardware.objects.push_back(read_object(in, 0));
  hardware.objects[0].end = static_cast<int>(hardware.cpus.size());
  while (in.is_good() && static_cast<int>(hardware.objects.size()) < objects) {
    read_child(in, hardware.objects);
  }
}

void read_numa(Reader& in, Hardware& hardware) {
  const int processors = static_cast<int>(hardware.cpus.size());
  const int nodes = in.count();
  for (int node = 0; node < nodes && in.is_good(); ++node) {
    const auto& here =
        hardware.numa_processors.emplace_back(in.list<int>(0, std::max(0, processors - 1)));
    const bool ascending =
        std::adjacent_find(here.begin(), here.end(), std::greater_equal<>()) == here.end();
    if (!ascending) {
      in.fail();
    }
  }
  const int rows = in.number(0, nodes);
  if (rows != 0 && rows != nodes) {
    in.fail();
  }
  for (int row = 0; row < rows && in.is_good(); ++row) {
    const auto& here = hardware.numa_distance.emplace_back(in.list<unsigned>(INT32_MIN, INT32_MAX));
    if (static_cast<int>(here.size()) != nodes) {
      in.fail();
    }
  }
}

}  // namespace

std::string encode(const Hardware& hardware) {
  std::string out;
  put_list(out, hardware.cpus);
  put_list(out, hardware.is_allowed);
  put_list(out, hardware.speed);
  put_number(out, hardware.has_cores);
  const std::vector<int> parents = parents_of(hardware);
  put_number(out, hardware.objects.size());
  for (std::size_t i = 0; i < hardware.objects.size(); ++i) {
    const Object& object = hardware.objects[i];
    if (i > 0) {
      put_number(out, parents[i]);
    }
    put_number(out, static_cast<int>(object.type));
    put_number(out, object.is_board);
    put_number(out, object.level);
    if (i > 0) {
      put_number(out, object.begin);
      put_number(out, object.end);
    }
  }
  put_number(out, hardware.numa_processors.size());
  for (const auto& processors : hardware.numa_processors) {
    put_list(out, processors);
  }
  put_number(out, hardware.numa_distance.size());
  for (const auto& row : hardware.numa_distance) {
    put_list(out, row);
  }
  return out;
}

std::optional<Hardware> decode(std::string_view bytes) {
  Reader in(bytes);
  Hardware hardware;
  hardware.cpus = in.list<int>(0, kMostCpus - 1);
  hardware.is_allowed = in.list<bool>(0, 1);
  hardware.speed = in.list<int>(INT32_MIN, INT32_MAX);
  hardware.has_cores = in.number(0, 1) != 0;
  const std::size_t processors = hardware.cpus.size();
  if (processors == 0 || hardware.is_allowed.size() != processors ||
      (!hardware.speed.empty() && hardware.speed.size() != processors)) {
    return std::nullopt;
  }
  read_objects(in, hardware);
  read_numa(in, hardware);
  if (!in.at_end()) {
    return std::nullopt;
  }
  return hardware;
}

}  // namespace nestbind::machine::cache
