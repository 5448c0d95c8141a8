// SPDX-License-Identifier: BSD-3-Clause
// The form of a record: all numbers have 32 bits, and a list is its length and its members.
#include "machine/cache/record.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "machine/hardware.hpp"

namespace nestbind::machine::cache {

namespace {

constexpr std::string_view kMagic = "nestbind";

bool skip(std::string_view& bytes, std::string_view expected) {
  if (!bytes.starts_with(expected)) {
    return false;
  }
  bytes.remove_prefix(expected.size());
  return true;
}

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

template <typename Lists>
void put_lists(std::string& out, const Lists& lists) {
  put_number(out, lists.size());
  for (const auto& list : lists) {
    put_list(out, list);
  }
}

// After an error all numbers are 0, and all lists are empty.
class Reader {
 public:
  explicit Reader(std::string_view bytes) : rest_(bytes) {}

  bool is_good() const { return good_; }
  bool at_end() const { return good_ && rest_.empty(); }

  int number(int low = INT32_MIN, int high = INT32_MAX) {
    std::int32_t value = 0;
    return !take(rest_, value) || value < low || value > high ? fail() : value;
  }

  // Each member has at least four bytes, so a larger length is an error.
  int count() {
    return number(0, static_cast<int>(std::min<std::size_t>(rest_.size(), kMost) / 4));
  }

  template <typename Member>
  std::vector<Member> list(int low = INT32_MIN, int high = INT32_MAX) {
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

Object read_object(Reader& in) {
  Object here;
  here.type = static_cast<Type>(in.number(0, static_cast<int>(Type::kCore)));
  here.is_board = in.number(0, 1) != 0;
  here.level = in.number();
  return here;
}

void read_objects(Reader& in, Hardware& hardware) {
  const int objects = in.count();
  for (int index = 0; index < objects && in.is_good(); ++index) {
    if (index > 0) {
      hardware.objects[in.number(0, index - 1)].children.push_back(index);
    }
    Object& here = hardware.objects.emplace_back(read_object(in));
    here.begin = index > 0 ? in.number() : 0;
    here.end = index > 0 ? in.number() : static_cast<int>(hardware.cpus.size());
  }
}

template <typename Member>
void read_lists(Reader& in, std::vector<std::vector<Member>>& lists) {
  const int count = in.count();
  for (int i = 0; i < count && in.is_good(); ++i) {
    lists.push_back(in.list<Member>());
  }
}

std::string read_text(Reader& in) {
  const auto letters = in.list<char>(0, 127);
  return {letters.begin(), letters.end()};
}

Device read_device(Reader& in) {
  Device device;
  device.kind = static_cast<DeviceKind>(in.number(0, static_cast<int>(DeviceKind::kNvme)));
  device.vendor = in.number();
  device.choice = in.number();
  device.name = read_text(in);
  device.pci = read_text(in);
  device.uuid = read_text(in);
  device.file = read_text(in);
  device.processors = in.list<int>();
  return device;
}

Hardware read_hardware(Reader& in) {
  Hardware hardware;
  hardware.cpus = in.list<int>();
  hardware.is_allowed = in.list<bool>(0, 1);
  hardware.speed = in.list<int>();
  hardware.has_cores = in.number(0, 1) != 0;
  read_objects(in, hardware);
  read_lists(in, hardware.numa_processors);
  hardware.numa_numbers = in.list<int>();
  read_lists(in, hardware.numa_distance);
  read_lists(in, hardware.probed_distance);
  hardware.has_read_devices = in.number(0, 1) != 0;
  const int devices = in.count();
  for (int i = 0; i < devices && in.is_good(); ++i) {
    hardware.devices.push_back(read_device(in));
  }
  if (hardware.has_read_devices && !in.at_end()) {
    hardware.object_kib = in.list<int>(0);
    hardware.numa_mib = in.list<int>(0);
  }
  return hardware;
}

}  // namespace

std::string enclose(std::uint64_t format, const Key& key, std::string_view contents) {
  std::string body;
  put<std::uint64_t>(body, key.text.size());
  body += key.text;
  body += contents;
  std::string bytes(kMagic);
  put(bytes, format);
  put(bytes, hash(body));
  return bytes + body;
}

std::optional<std::string_view> contents_of(std::string_view bytes, std::uint64_t format,
                                            const Key& key) {
  std::uint64_t own = 0;
  std::uint64_t told = 0;
  std::uint64_t length = 0;
  const bool is_good = skip(bytes, kMagic) && take(bytes, own) && own == format &&
                       take(bytes, told) && told == hash(bytes) && take(bytes, length) &&
                       length == key.text.size() && skip(bytes, key.text);
  return is_good ? std::optional(bytes) : std::nullopt;
}

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
  put_lists(out, hardware.numa_processors);
  put_list(out, hardware.numa_numbers);
  put_lists(out, hardware.numa_distance);
  put_lists(out, hardware.probed_distance);
  put_number(out, hardware.has_read_devices);
  put_number(out, hardware.devices.size());
  for (const Device& device : hardware.devices) {
    put_number(out, static_cast<int>(device.kind));
    put_number(out, device.vendor);
    put_number(out, device.choice);
    put_list(out, device.name);
    put_list(out, device.pci);
    put_list(out, device.uuid);
    put_list(out, device.file);
    put_list(out, device.processors);
  }
  if (hardware.has_read_devices) {
    put_list(out, hardware.object_kib);
    put_list(out, hardware.numa_mib);
  }
  return out;
}

std::optional<Hardware> decode(std::string_view bytes, const char** why) {
  Reader in(bytes);
  Hardware hardware = read_hardware(in);
  const char* const fault = in.at_end() ? broken_invariant(hardware) : "it is incomplete";
  if (fault == nullptr) {
    return hardware;
  }
  if (why != nullptr) {
    *why = fault;
  }
  return std::nullopt;
}

}  // namespace nestbind::machine::cache
