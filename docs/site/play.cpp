// SPDX-License-Identifier: BSD-3-Clause
// The planner of the page play.html, as a WebAssembly module. The page gives the module the
// record of a machine, and specifications. The module returns the picture of `nestbind plan
// --format svg` and the words of `nestbind explain`. The code that plans and draws is in lib/.
#include <cstdlib>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "advice/explanation.hpp"
#include "machine/cache/record.hpp"
#include "machine/machine_topology.hpp"
#include "show/layout.hpp"
#include "show/planned.hpp"
#include "show/texts.hpp"
#include "spec/spec.hpp"

namespace {

using namespace nestbind;

// The record of a machine, the first specification, the second one, and the shape.
std::string given[4];
std::string said;  // the answer to the last question
std::optional<machine::Hardware> hardware;
std::optional<machine::Topology> topology;
spec::Spec specs[2];
std::vector<int> shape;  // empty means the specifications' sizes

constexpr auto kCores = machine::CoreChoice::kAuto;

// Sets the answer to `text`. Returns `is_good`.
bool say(std::string text, bool is_good) {
  said = std::move(text);
  return is_good;
}

}  // namespace

extern "C" {

// The module has no exceptions, so a throw ends the module. The page then says so.
// NOLINTBEGIN(readability-identifier-naming,bugprone-reserved-identifier): the compiler's names
void* __cxa_allocate_exception(std::size_t) { std::abort(); }
[[noreturn]] void __cxa_throw(void*, void*, void*) { std::abort(); }
// NOLINTEND(readability-identifier-naming,bugprone-reserved-identifier)

// Resizes given[which]. The page writes its text to the returned address.
[[clang::export_name("room")]] char* room(int which, int size) {
  given[which].assign(size, '\0');
  return given[which].data();
}

[[clang::export_name("answer")]] const char* answer() { return said.data(); }
[[clang::export_name("answer_size")]] std::size_t answer_size() { return said.size(); }

// Reads the machine. The answer is a summary of the machine, or the fault in the record.
[[clang::export_name("read_machine")]] bool read_machine() {
  const char* why = "";
  hardware = machine::cache::decode(given[0], &why);
  if (!hardware) {
    return say(why, false);
  }
  topology = machine::Topology::of(*hardware, "", std::nullopt);
  return say(topology->summary(), true);
}

// Reads specification 0 or 1. The answer is its canonical text, or a message with a caret below the
// fault.
[[clang::export_name("read_spec")]] bool read_spec(int which) {
  const std::string& text = given[1 + which];
  spec::Fault fault;
  if (spec::parse(text, specs[which], fault)) {
    return say(show::canonical(specs[which]), true);
  }
  char message[1024];
  return say({message, spec::describe(text, fault, message, sizeof message)}, false);
}

// Reads the shape, such as 4x4, or nothing. The first `count` specifications must be valid. The
// answer is the fault.
[[clang::export_name("read_shape")]] bool read_shape(int count) {
  shape.clear();
  const std::string& text = given[3];
  int size = 0;
  for (std::size_t i = 0; i <= text.size() && !text.empty(); ++i) {
    if (i < text.size() && text[i] >= '0' && text[i] <= '9' && size <= spec::kMaxThreads) {
      size = 10 * size + (text[i] - '0');
    } else if (size >= 1 && size <= spec::kMaxThreads && (i == text.size() || text[i] == 'x')) {
      shape.push_back(std::exchange(size, 0));
    } else {
      return say("expected sizes such as 4x4", false);
    }
  }
  for (int i = 0; i < count; ++i) {
    if (!specs[i].is_auto && shape.size() > static_cast<std::size_t>(specs[i].levels)) {
      return say("the shape has more levels than a specification", false);
    }
  }
  return say("", true);
}

// Draws the first `count` specifications. The machine and these specifications must be valid.
[[clang::export_name("draw")]] void draw(int count) {
  std::vector<show::Layout> layouts;
  for (int i = 0; i < count; ++i) {
    layouts.push_back(show::make_layout(specs[i], *topology, 0, kCores, {}, shape));
  }
  said = show::svg_of(layouts, {*hardware, std::nullopt});
}

// Explains specification 0 or 1. The machine and the specification must be valid.
[[clang::export_name("explain")]] void explain(int which, int columns) {
  said = advice::text_of(advice::explain(specs[which], *topology, 0, kCores,
                                         {advice::Runtime::kGnu, advice::Runtime::kLlvm}, 0, shape),
                         columns);
}
}
