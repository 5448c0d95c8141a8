// SPDX-License-Identifier: BSD-3-Clause
#include <cstring>

#include "helpers.hpp"
#include "machine/cache/record.hpp"
#include "machine/hardware.hpp"

using namespace nestbind::machine;
using namespace nestbind::machine::test;

namespace {

// Changes a machine of two packages with two cores each. Returns the invariant that is broken.
template <typename Change>
std::string fault_of(Change change) {
  Hardware changed = read_hardware("pack:2 [numa] core:2 pu:1");
  REQUIRE(broken_invariant(changed) == nullptr);
  change(changed);
  const char* fault = broken_invariant(changed);
  return fault == nullptr ? "none" : fault;
}

template <typename Change>
std::string fault_of_record(Change change) {
  Hardware changed = read_hardware("pack:2 [numa] core:2 pu:1");
  change(changed);
  const char* why = "none";
  return cache::decode(cache::encode(changed), &why) ? "none" : why;
}

// The code changes a machine `h`, which must then have this fault.
#define CHECK_FAULT(fault, ...)                             \
  CHECK(fault_of([](Hardware & h) __VA_ARGS__) == (fault)); \
  CHECK(fault_of_record([](Hardware & h) __VA_ARGS__) == (fault))

// The objects' order is: the machine, a package, two cores, a package, two cores.
constexpr int kPackage = 1;
constexpr int kCore = 2;

}  // namespace

TEST_CASE("lists of processors are checked") {
  CHECK_FAULT("none", { h.has_cores = false; });
  CHECK_FAULT("it has no processors", {
    h.cpus.clear();
    h.is_allowed.clear();
  });
  CHECK_FAULT("it has more than 8192 processors", {
    h.cpus.assign(kMostProcessors + 1, 0);
    h.is_allowed.assign(kMostProcessors + 1, true);
  });
  CHECK_FAULT("a list lacks an entry for a processor", { h.is_allowed.pop_back(); });
  CHECK_FAULT("a list lacks an entry for a processor", { h.speed = {1}; });
  CHECK_FAULT("none", { h.speed = Ints(4, -5); });
  CHECK_FAULT("a processor has a number of 8192 or more", { h.cpus[0] = -1; });
  CHECK_FAULT("a processor has a number of 8192 or more", { h.cpus[0] = kMostProcessors; });
  CHECK_FAULT("none", { h.cpus[0] = kMostProcessors - 1; });
  CHECK_FAULT("two processors have the same number", { h.cpus[0] = h.cpus[3]; });
  CHECK_FAULT("none of its processors may be used", { h.is_allowed.assign(4, false); });
}

TEST_CASE("the tree of objects is checked") {
  CHECK_FAULT("no object has all processors", { h.objects.clear(); });
  CHECK_FAULT("no object has all processors", { h.objects[0].level = -1; });
  CHECK(fault_of([](Hardware& h) { h.objects[0].end = 3; }) == "no object has all processors");
  constexpr char kOutside[] = "an object is not within the one around it, or overlaps another";
  CHECK_FAULT(kOutside, { h.objects[kPackage].end = 3; });
  CHECK_FAULT(kOutside, { h.objects[kPackage].end = 5; });
  CHECK_FAULT(kOutside, { h.objects[kPackage].begin = -1; });
  CHECK_FAULT(kOutside, { h.objects[kCore].end = h.objects[kCore].begin - 1; });
  CHECK_FAULT("an object is not on a deeper level than its parent",
              { h.objects[kCore].level = 1; });
  CHECK_FAULT("objects are nested on more than 100 levels",
              { h.objects.back().level = kDeepest + 1; });
  CHECK_FAULT("a level has objects of several types", { h.objects[kPackage].type = Type::kDie; });
  CHECK(fault_of([](Hardware& h) { h.objects[0].children.clear(); }) ==
        "an object is in none of the objects before it");
  constexpr char kLost[] = "an object is in none of the objects before it, or in several";
  CHECK(fault_of([](Hardware& h) { h.objects[kCore].children = {0}; }) == kLost);
  CHECK(fault_of([](Hardware& h) { h.objects[kCore].children = {kCore}; }) == kLost);
  CHECK(fault_of([](Hardware& h) { h.objects[kCore].children = {100}; }) == kLost);
  CHECK(fault_of([](Hardware& h) { h.objects[0].children.push_back(kPackage); }) == kLost);
}

TEST_CASE("each processor must be in exactly one core") {
  CHECK_FAULT("a processor is in no core", {
    for (Object& object : h.objects) {
      object.type = object.type == Type::kCore ? Type::kL1 : object.type;
    }
  });
  CHECK_FAULT("a processor is in no core", { h.objects[kCore].end = h.objects[kCore].begin; });
  CHECK_FAULT("a processor is in several cores", {
    Object inner = h.objects.back();
    inner.level += 1;
    h.objects.back().children = {static_cast<int>(h.objects.size())};
    h.objects.push_back(inner);
  });
  // Objects below a core may have any form.
  CHECK_FAULT("none", {
    Object inner = h.objects.back();
    inner.type = Type::kGroup;
    inner.level += 1;
    inner.end = inner.begin;
    h.objects.back().children = {static_cast<int>(h.objects.size())};
    h.objects.push_back(inner);
  });
}

TEST_CASE("NUMA nodes must be sets of processors, nested or disjoint") {
  CHECK_FAULT("none", { h.numa_processors = {{0, 1, 2, 3}, {0, 1}, {}, {0, 1}, {2}}; });
  constexpr char kForeign[] = "a NUMA node has processors that are not the machine's";
  CHECK_FAULT(kForeign, { h.numa_processors = {{0, 4}}; });
  CHECK_FAULT(kForeign, { h.numa_processors = {{-1, 1}}; });
  CHECK_FAULT(kForeign, { h.numa_processors = {{1, 1}}; });
  CHECK_FAULT(kForeign, { h.numa_processors = {{1, 0}}; });
  CHECK_FAULT("NUMA nodes overlap", { h.numa_processors = {{0, 1}, {1, 2}}; });
  CHECK_FAULT("none", { h.numa_numbers = {8, 0}; });
  CHECK_FAULT("two of its NUMA nodes have the same number", { h.numa_numbers = {8, 8}; });
  CHECK_FAULT("two of its NUMA nodes have the same number", { h.numa_numbers = {8, -1}; });
  CHECK_FAULT("NUMA nodes overlap", { h.numa_processors = {{0, 1}, {2}, {1, 2, 3}}; });
  CHECK_FAULT("it has more than 8192 NUMA nodes",
              { h.numa_processors.resize(kMostProcessors + 1); });
  CHECK(fault_of([](Hardware& h) {
          h = read_hardware("pu:200");
          for (int first = 0; first < 150; ++first) {
            Ints node = up_to(199);
            node.erase(node.begin(), node.begin() + first);
            h.numa_processors.push_back(node);
          }
        }) == "NUMA nodes are nested on more than 100 levels");
}

// A record has sizes only if it has devices.
TEST_CASE("sizes must fit the objects and the NUMA nodes") {
  CHECK_FAULT("none", {
    h.has_read_devices = true;
    h.object_kib.resize(h.objects.size());
  });
  CHECK_FAULT("sizes do not fit its objects", {
    h.has_read_devices = true;
    h.object_kib = {32};
  });
  CHECK_FAULT("sizes do not fit its objects", {
    h.has_read_devices = true;
    h.numa_mib.resize(h.numa_processors.size() + 1);
  });
}

TEST_CASE("distances must fit the NUMA nodes") {
  constexpr char kForeign[] = "distances do not fit its NUMA nodes";
  CHECK_FAULT("none", { h.numa_distance = {{10, 20}, {20, 10}}; });
  CHECK_FAULT("none", { h.numa_distance.clear(); });
  CHECK_FAULT("none", { h.probed_distance = {{90, 130}, {131, 91}}; });
  CHECK_FAULT(kForeign, { h.probed_distance = {{90, 130}}; });
  CHECK_FAULT(kForeign, { h.probed_distance = {{90}, {131, 91}}; });
  CHECK_FAULT(kForeign, { h.numa_distance = {{10, 20}}; });
  CHECK_FAULT(kForeign, { h.numa_distance = {{10, 20}, {20}}; });
  CHECK_FAULT(kForeign, { h.numa_distance = {{10, 20, 20}, {20, 10, 20}, {20, 20, 10}}; });
}
