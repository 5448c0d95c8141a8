// SPDX-License-Identifier: BSD-3-Clause
// The planner of the page play.html, as a WebAssembly module: in come the record of a machine and
// specifications, out come the picture of `nestbind plan --format svg` and the words of
// `nestbind explain`. Nothing here plans or draws.
#include <cstdlib>
#include <optional>
#include <string>
#include <vector>

#include "advice/explanation.hpp"
#include "machine/cache/record.hpp"
#include "machine/machine_topology.hpp"
#include "show/canonical.hpp"
#include "show/layout.hpp"
#include "show/svg.hpp"
#include "spec/spec.hpp"

namespace {

using namespace nestbind;

std::string given[3];  // the record of a machine, the first specification, the second one
std::string said;      // the answer to the last question
std::optional<machine::Hardware> hardware;
std::optional<machine::Topology> topology;
spec::Spec specs[2];

constexpr auto kCores = machine::CoreChoice::kAuto;

// Takes `text` for the answer. Returns `is_good`.
bool say(std::string text, bool is_good) {
  said = std::move(text);
  return is_good;
}

}  // namespace

extern "C" {

// WebAssembly has no exceptions here: what would throw ends the module, and the page says so.
// NOLINTBEGIN(readability-identifier-naming,bugprone-reserved-identifier): the compiler's names
void* __cxa_allocate_exception(std::size_t) { std::abort(); }
[[noreturn]] void __cxa_throw(void*, void*, void*) { std::abort(); }
// NOLINTEND(readability-identifier-naming,bugprone-reserved-identifier)

// Where the page writes `size` bytes of given[which].
[[clang::export_name("room")]] char* room(int which, int size) {
  given[which].assign(size, '\0');
  return given[which].data();
}

[[clang::export_name("answer")]] const char* answer() { return said.data(); }
[[clang::export_name("answer_size")]] std::size_t answer_size() { return said.size(); }

// Reads the machine. The answer: what it has, or what is wrong with the record.
[[clang::export_name("read_machine")]] bool read_machine() {
  const char* why = "";
  hardware = machine::cache::decode(given[0], &why);
  if (!hardware) {
    return say(why, false);
  }
  topology = machine::Topology::of(*hardware, "", std::nullopt);
  return say(topology->summary(), true);
}

// Reads specification 0 or 1. The answer: as nestbind writes it, or the fault and a caret under it.
[[clang::export_name("read_spec")]] bool read_spec(int which) {
  const std::string& text = given[1 + which];
  spec::Fault fault;
  if (spec::parse(text, specs[which], fault)) {
    return say(show::canonical(specs[which]), true);
  }
  char message[1024];
  return say({message, spec::describe(text, fault, message, sizeof message)}, false);
}

// Draws the first `count` specifications, which were read without a fault, as the machine was.
[[clang::export_name("draw")]] void draw(int count) {
  std::vector<show::Layout> layouts;
  for (int i = 0; i < count; ++i) {
    layouts.push_back(show::make_layout(specs[i], *topology, 0, kCores));
  }
  said = show::svg_of(layouts, {*hardware, std::nullopt});
}

// Likewise the words on one of them, in lines of so many columns.
[[clang::export_name("explain")]] void explain(int which, int columns) {
  said = advice::text_of(advice::explain(specs[which], *topology, 0, kCores,
                                         {advice::Runtime::kGnu, advice::Runtime::kLlvm}),
                         columns);
}
}
