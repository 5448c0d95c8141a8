// SPDX-License-Identifier: BSD-3-Clause
#include "machine/cache/probed.hpp"

#include <cstdlib>

#include "helpers.hpp"
#include "tests/unit/helpers/folder.hpp"

using namespace nestbind::machine;
using namespace nestbind::machine::test;

namespace {

const cache::Key kKey = {"nestbind-probed-test", "this boot, these processors"};
const cache::Probed kProbed = {.ns = {{90, 130}, {131, 91}},
                               .megabytes = {{20000, 9000}, {9001, 20001}}};

}  // namespace

TEST_CASE("measurements can be read only with their key", "[machine][probed]") {
  const std::string bytes = cache::seal(kProbed, kKey);
  CHECK(cache::unseal_probed(bytes, kKey) == kProbed);
  CHECK(cache::unseal_probed(bytes, {kKey.file, "another boot"}) == std::nullopt);
  CHECK_FALSE(cache::unseal(bytes, kKey));
  CHECK_FALSE(cache::unseal_probed(cache::seal(read_hardware("numa:2 pu:1"), kKey), kKey));
}

TEST_CASE("measurements that are damaged, short or long are rejected", "[machine][probed]") {
  const std::string bytes = cache::seal(kProbed, kKey);
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    CHECK_FALSE(cache::unseal_probed(bytes.substr(0, length), kKey));
  }
  CHECK_FALSE(cache::unseal_probed(bytes + "x", kKey));
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    std::string damaged = bytes;
    damaged[at] = static_cast<char>(damaged[at] ^ 1);
    CHECK_FALSE(cache::unseal_probed(damaged, kKey));
  }
}

TEST_CASE("measured distances replace the firmware's distances if they cover all processors",
          "[machine][probed]") {
  Hardware hardware = read_hardware("numa:2 core:2 pu:1");
  CHECK(cache::covers(kProbed, hardware));
  CHECK_FALSE(cache::covers(kProbed, read_hardware("numa:3 core:2 pu:1")));
  const cache::Probed one = {.ns = {{90, 0}, {0, 0}}, .megabytes = {{1, 0}, {0, 0}}};
  CHECK_FALSE(cache::covers(one, hardware));
  // Now node 1 is a second kind of memory. Then the measurements of node 0 are enough.
  hardware.numa_processors[1] = hardware.numa_processors[0];
  hardware.numa_processors[0].insert(hardware.numa_processors[0].end(), {2, 3});
  CHECK(cache::covers(one, hardware));
}

TEST_CASE("saved measurements are found next to the cached machine", "[machine][probed]") {
  const Folder folder;
  const std::string name = folder.path();
  CHECK_FALSE(cache::find_probed(name.c_str()));
  const auto key = cache::key_of_probed();
  REQUIRE(key);
  CHECK(key->file.starts_with("nestbind-probed-"));
  const auto machine = cache::key_of_this_process("");
  REQUIRE(machine);
  CHECK(key->file.substr(key->file.rfind('-')) == machine->file.substr(machine->file.rfind('-')));
  CHECK(cache::Folder::open(name.c_str()).write_bytes(cache::seal(kProbed, *key), *key));
  CHECK(cache::find_probed(name.c_str()) == kProbed);
  Hardware hardware = read_hardware("numa:2 core:2 pu:1");
  cache::add_probed(hardware, name.c_str());
  CHECK(hardware.probed_distance == kProbed.ns);
  Hardware other = read_hardware("numa:3 core:2 pu:1");
  cache::add_probed(other, name.c_str());
  CHECK(other.probed_distance.empty());
  CHECK_FALSE(cache::find_probed("off"));
  CHECK_FALSE(cache::find_probed((name + "/none").c_str()));
}
