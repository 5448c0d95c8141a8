// SPDX-License-Identifier: BSD-3-Clause
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>

#include "machine/cache/record.hpp"
#include "machine/hwloc/read_hwloc.hpp"
#include "machine/hwloc/topology_border.hpp"
#include "machine/hwloc/write.hpp"

namespace nestbind::machine::hwloc {
namespace {

void read(const char* source, bool with_devices, Record& record) try {
  record = {};
  const std::string bytes = cache::encode(read_hardware(source, with_devices));
  record.bytes = static_cast<char*>(std::malloc(bytes.size()));
  if (record.bytes != nullptr) {
    std::memcpy(record.bytes, bytes.data(), bytes.size());
    record.size = bytes.size();
  }
} catch (const std::bad_alloc&) {
  record = {};
} catch (const std::exception& fault) {
  std::snprintf(record.message, sizeof record.message, "%s", fault.what());
}

void write(const char* file, const Measured& measured, Record& record) try {
  record = {};
  write_xml(file, measured);
} catch (const std::exception& fault) {
  std::snprintf(record.message, sizeof record.message, "%s", fault.what());
}

}  // namespace
}  // namespace nestbind::machine::hwloc

extern "C" __attribute__((visibility("default")))
const nestbind::machine::hwloc::TopologyApi nestbind_topology_6;
const nestbind::machine::hwloc::TopologyApi nestbind_topology_6 = {nestbind::machine::hwloc::read,
                                                                   nestbind::machine::hwloc::write};
