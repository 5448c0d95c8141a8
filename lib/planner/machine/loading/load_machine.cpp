// SPDX-License-Identifier: BSD-3-Clause
#include "machine/loading/load_machine.hpp"

#include <dlfcn.h>
#include <sys/auxv.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <new>

#include "machine/cache/cache.hpp"
#include "machine/cache/record.hpp"
#include "machine/hwloc/topology_border.hpp"
#include "machine/machine_topology.hpp"

namespace nestbind::machine::loading {
namespace {

struct Free {
  void operator()(char* bytes) const { std::free(bytes); }
};

std::string name_of_this_library() {
  Dl_info self{};
  const bool known = dladdr(reinterpret_cast<void*>(&find_hardware), &self) != 0;
  return known && self.dli_fname != nullptr ? self.dli_fname : "";
}

// AddressSanitizer ends a program that uses RTLD_DEEPBIND.
bool sanitizer_is_loaded() {
  return dlsym(RTLD_DEFAULT, "__asan_init") != nullptr ||
         dlsym(RTLD_DEFAULT, "__tsan_init") != nullptr ||
         dlsym(RTLD_DEFAULT, "__msan_init") != nullptr;
}

const hwloc::TopologyApi& load(const std::string& name) {
  // The loaded library must use its own symbols and its own hwloc, not the program's.
  const int apart = sanitizer_is_loaded() ? 0 : RTLD_DEEPBIND;
  void* handle = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL | apart);
  void* api = handle == nullptr ? nullptr : dlsym(handle, hwloc::kTopologySymbol);
  if (api == nullptr) {
    const char* why = dlerror();
    throw Unreadable(why == nullptr ? name : why);
  }
  return *static_cast<const hwloc::TopologyApi*>(api);
}

std::string beside(std::string library, const char* file) {
  return library.replace(library.rfind('/') + 1, std::string::npos, file);
}

std::string neighbour() { return beside(name_of_this_library(), hwloc::kTopologyFile); }

// Replaces unprintable bytes, because a message may contain text from a file.
std::string printable(std::string text) {
  std::ranges::replace_if(text, [](unsigned char c) { return c < ' ' || c == 0x7f; }, '?');
  return text;
}

// False if the process has a processor that the cached machine lacks. The cpuset may have grown.
bool serves(const Hardware& hardware, const CpuMask& own) {
  std::vector<unsigned long> rest(own.bits, own.bits + own.bytes / sizeof(unsigned long));
  for (std::size_t p = 0; p < hardware.cpus.size(); ++p) {
    if (hardware.is_allowed[p] && mask::has(own, hardware.cpus[p])) {
      rest[hardware.cpus[p] / mask::kWordBits] &= ~(1UL << (hardware.cpus[p] % mask::kWordBits));
    }
  }
  return std::ranges::all_of(rest, [](unsigned long word) { return word == 0; });
}

std::string identity_of(const std::string& file) {
  struct stat status{};
  if (stat(file.c_str(), &status) != 0) {
    return "";
  }
  std::string identity;
  for (const auto number :
       {static_cast<long>(status.st_dev), static_cast<long>(status.st_ino),
        static_cast<long>(status.st_size), status.st_mtim.tv_sec, status.st_mtim.tv_nsec}) {
    identity += std::to_string(number) + " ";
  }
  return identity;
}

cache::Key key_of_source(const std::string& library, const std::string& source) {
  return cache::key_of_given(source, identity_of(source) + "\n" + identity_of(library));
}

std::optional<Hardware> handed_over(const std::string& source, const char* records) {
  return records == nullptr ? std::nullopt
                            : cache::Folder::open(records).read(key_of_source(neighbour(), source));
}

}  // namespace

Hardware load_and_read(const std::string& library, const std::string& source, bool with_devices) {
  if (!source.empty() && getauxval(AT_SECURE) != 0) {
    throw Unreadable("a program with privileges does not read a machine that its user names");
  }
  hwloc::Record record{};
  load(library).read(source.c_str(), with_devices, record);
  const std::unique_ptr<char, Free> bytes(record.bytes);
  if (bytes == nullptr && record.message[0] == '\0') {
    throw std::bad_alloc();
  }
  if (bytes == nullptr) {
    throw Unreadable(printable(record.message));
  }
  const char* why = nullptr;
  auto hardware = cache::decode({record.bytes, record.size}, &why);
  if (!hardware) {
    throw Unreadable((source.empty() ? "hwloc reports an impossible machine: "
                                     : printable("'" + source + "' is an impossible machine: ")) +
                     why);
  }
  return std::move(*hardware);
}

bool hand_over(const Hardware& hardware, const std::string& library, const std::string& source,
               const std::string& folder) {
  const auto records = cache::Folder::open(folder.c_str());
  return records.is_usable() && records.write(hardware, key_of_source(library, source));
}

bool hand_over_own(const Hardware& hardware, const std::string& planner,
                   const std::string& folder) {
  const auto key = cache::key_of_this_process(identity_of(planner));
  const auto records = cache::Folder::open(folder.c_str());
  return key && records.is_usable() && records.write(hardware, *key);
}

void load_and_write(const std::string& library, const std::string& file,
                    const std::vector<std::vector<unsigned>>& ns,
                    const std::vector<std::vector<unsigned>>& megabytes) {
  const auto in_one = [](const std::vector<std::vector<unsigned>>& matrix) {
    std::vector<unsigned> all;
    for (const auto& row : matrix) {
      all.insert(all.end(), row.begin(), row.end());
    }
    return all;
  };
  const std::vector<unsigned> all_ns = in_one(ns);
  const std::vector<unsigned> all_megabytes = in_one(megabytes);
  hwloc::Record record{};
  load(library).write(file.c_str(),
                      {.nodes = static_cast<unsigned>(ns.size()),
                       .ns = all_ns.data(),
                       .megabytes = all_megabytes.data()},
                      record);
  if (record.message[0] != '\0') {
    throw Unreadable(record.message);
  }
}

Hardware find_given(const std::string& source, const char* records, bool with_devices) {
  auto known = handed_over(source, records);
  return known && (known->has_read_devices || !with_devices)
             ? std::move(*known)
             : load_and_read(neighbour(), source, with_devices);
}

Hardware find_hardware(const char* cache, const CpuMask& own, bool with_devices,
                       const std::string& planner) {
  const std::string& reader = planner.empty() ? name_of_this_library() : planner;
  const std::string topology = beside(reader, hwloc::kTopologyFile);
  const auto folder = cache::Folder::open(cache);
  const std::string writer = folder.is_usable() ? identity_of(reader) : "";
  const auto key = writer.empty() ? std::nullopt : cache::key_of_this_process(writer);
  if (!key) {
    return load_and_read(topology, "", with_devices);
  }
  if (auto known = folder.read(*key);
      known && serves(*known, own) && (known->has_read_devices || !with_devices)) {
    return std::move(*known);
  }
  Hardware hardware = load_and_read(topology, "", with_devices);
  // Saves nothing if processors have come or gone while hwloc was reading.
  const auto still = cache::key_of_this_process(writer);
  if (still && still->text == key->text) {
    folder.write(hardware, *key);
  }
  return hardware;
}

}  // namespace nestbind::machine::loading
