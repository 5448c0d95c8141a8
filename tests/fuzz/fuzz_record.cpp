// SPDX-License-Identifier: BSD-3-Clause
// libFuzzer: whatever the bytes of a cached machine, they are none, or hardware that is written and
// read the same. The first byte of an input says how it gets there: as a record, or as a file.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "machine/cache/cache.hpp"
#include "machine/cache/record.hpp"

namespace {

using namespace nestbind::machine;

void require(bool holds, const char* what) {
  if (!holds) {
    std::fprintf(stderr, "does not hold: %s\n", what);
    std::abort();
  }
}

void check_good(const Hardware& hardware, const cache::Key& key) {
  const std::size_t processors = hardware.cpus.size();
  require(processors > 0, "there are processors");
  require(hardware.is_allowed.size() == processors, "each is allowed or not");
  require(!hardware.objects.empty(), "there is a machine");
  for (const Object& object : hardware.objects) {
    require(0 <= object.begin && object.begin <= object.end &&
                object.end <= static_cast<int>(processors),
            "objects lie in the machine");
  }
  const auto again = cache::decode(cache::encode(hardware));
  require(again && *again == hardware, "decode(encode(hardware)) is hardware");
  const auto unsealed = cache::unseal(cache::seal(hardware, key), key);
  require(unsealed && *unsealed == hardware, "unseal(seal(hardware)) is hardware");
  const cache::Key other{key.file, key.text + "!"};
  require(!cache::unseal(cache::seal(hardware, key), other), "another key is no cache");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) {
    return 0;
  }
  const cache::Key key{"nestbind-machine", "boot"};
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  const auto hardware = data[0] == 'f' ? cache::unseal(bytes, key) : cache::decode(bytes);
  if (hardware) {
    check_good(*hardware, key);
  }
  return 0;
}
