// SPDX-License-Identifier: BSD-3-Clause
// libFuzzer: the input is a cached machine. If the input is not refused, it must describe hardware.
// This hardware must be the same after writing and reading, and a plan on it must be possible. The
// first byte selects a record ('r') or a sealed file ('f').
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "machine/cache/cache.hpp"
#include "machine/cache/record.hpp"
#include "machine/hardware.hpp"
#include "plan/team_plan.hpp"

namespace {

using namespace nestbind::machine;

void require(bool holds, const char* what) {
  if (!holds) {
    std::fprintf(stderr, "does not hold: %s\n", what);
    std::abort();
  }
}

void check_good(const Hardware& hardware, const cache::Key& key) {
  require(broken_invariant(hardware) == nullptr, "invariants");
  const auto again = cache::decode(cache::encode(hardware));
  require(again && *again == hardware, "decode(encode(hardware)) is hardware");
  const auto unsealed = cache::unseal(cache::seal(hardware, key), key);
  require(unsealed && *unsealed == hardware, "unseal(seal(hardware)) is hardware");
  const cache::Key other{key.file, key.text + "!"};
  require(!cache::unseal(cache::seal(hardware, key), other),
          "a cache is refused under another key");
}

void ask_for_teams(nestbind::plan::Plan& plan, const nestbind::plan::Path& path) {
  if (path.size() == plan.rules().size()) {
    return;
  }
  const int size = plan.next_size(path);
  const int slots = static_cast<int>(plan.machine().slots.size());
  for (const auto& planned : plan.team(path, size)) {
    require(0 <= planned.slot && planned.slot < slots && !planned.partition.empty(),
            "places are in the machine");
  }
  for (const int member : {0, size - 1}) {
    nestbind::plan::Path deeper = path;
    deeper.push_back({member, size});
    ask_for_teams(plan, deeper);
  }
}

void plan_on(const Hardware& hardware) {
  const Topology topology = Topology::of(hardware, "record", {});
  for (const char* text : {"4,scatter,3,subcompact", "2,compact,core,scatter,2,subscatter@l2",
                           "numa,scatter,3,compact", "package,scatter,l3,subcompact@numa"}) {
    nestbind::spec::Spec spec;
    nestbind::spec::Fault fault;
    require(nestbind::spec::parse(text, spec, fault), "a good specification");
    nestbind::plan::Plan plan = nestbind::plan::make(spec, topology, 0, CoreChoice::kAuto);
    ask_for_teams(plan, {});
  }
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
    plan_on(*hardware);
  }
  return 0;
}
