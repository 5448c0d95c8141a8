// SPDX-License-Identifier: BSD-3-Clause
#include "machine/loading/load.hpp"

#include <dlfcn.h>
#include <sys/stat.h>

#include <cstdlib>
#include <memory>
#include <new>

#include "machine/cache/record.hpp"
#include "machine/hwloc/border.hpp"
#include "machine/topology.hpp"

namespace nestbind::machine::loading {
namespace {

struct Free {
  void operator()(char* bytes) const { std::free(bytes); }
};

// As it was loaded, by its whole name; empty if that is not known.
std::string name_of_this_library() {
  Dl_info self{};
  const bool known = dladdr(reinterpret_cast<void*>(&identity_of_this_library), &self) != 0;
  return known && self.dli_fname != nullptr ? self.dli_fname : "";
}

// AddressSanitizer ends a program that loads anything with RTLD_DEEPBIND.
bool sanitizer_is_loaded() {
  return dlsym(RTLD_DEFAULT, "__asan_init") != nullptr ||
         dlsym(RTLD_DEFAULT, "__tsan_init") != nullptr ||
         dlsym(RTLD_DEFAULT, "__msan_init") != nullptr;
}

const hwloc::TopologyApi& load(const std::string& name) {
  // Its own symbols and its own hwloc first, so that a program's other hwloc stays apart.
  const int apart = sanitizer_is_loaded() ? 0 : RTLD_DEEPBIND;
  void* handle = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL | apart);
  void* api = handle == nullptr ? nullptr : dlsym(handle, hwloc::kTopologySymbol);
  if (api == nullptr) {
    const char* why = dlerror();
    throw Unreadable(why == nullptr ? name : why);
  }
  return *static_cast<const hwloc::TopologyApi*>(api);
}

}  // namespace

Hardware load_and_read(const std::string& source) {
  std::string name = name_of_this_library();
  name.replace(name.rfind('/') + 1, std::string::npos, hwloc::kTopologyFile);
  return load_and_read(name, source);
}

Hardware load_and_read(const std::string& library, const std::string& source) {
  hwloc::Record record{};
  load(library).read(source.c_str(), record);
  const std::unique_ptr<char, Free> bytes(record.bytes);
  if (bytes == nullptr && record.message[0] == '\0') {
    throw std::bad_alloc();
  }
  if (bytes == nullptr) {
    throw Unreadable(record.message);
  }
  auto hardware = cache::decode({record.bytes, record.size});
  if (!hardware) {
    throw Unreadable("hwloc does not tell the machine as a tree");
  }
  return std::move(*hardware);
}

std::string identity_of_this_library() {
  struct stat status{};
  if (stat(name_of_this_library().c_str(), &status) != 0) {
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

}  // namespace nestbind::machine::loading
