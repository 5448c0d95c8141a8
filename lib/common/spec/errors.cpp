// SPDX-License-Identifier: BSD-3-Clause
#include <nestbind/nestbind.h>

#include "spec/spec.hpp"
#include "support/caret.hpp"

namespace nestbind::spec {
namespace {

struct Meaning {
  int error;
  const char* text;
};

constexpr Meaning kMeanings[] = {
    {NESTBIND_OK, "no error"},
    {NESTBIND_EMPTY, "empty specification"},
    {NESTBIND_BAD_SIZE, "not a team size"},
    {NESTBIND_SIZE_NOT_POSITIVE, "team size is not positive"},
    {NESTBIND_SIZE_TOO_LARGE, "too many threads"},
    {NESTBIND_BAD_STRATEGY, "missing or unknown strategy"},
    {NESTBIND_DOMAIN_ON_PLAIN, "domain on a plain strategy"},
    {NESTBIND_BAD_DOMAIN, "missing or unknown domain"},
    {NESTBIND_BAD_SEPARATOR, "missing comma"},
    {NESTBIND_TOO_MANY_LEVELS, "too many levels"},
    {NESTBIND_BAD_ARGUMENT, "null pointer, or an impossible number"},
    {NESTBIND_NO_MACHINE, "the machine could not be read"},
    {NESTBIND_NO_PLANNER, "libnestbind-planner.so could not be loaded"},
    {NESTBIND_NO_MEMORY, "out of memory"},
    {NESTBIND_NOT_PLACED, "the calling thread has no place"},
    {NESTBIND_BAD_SCHEDULE, "not a schedule of loops"},
    {NESTBIND_BAD_OPTION, "unknown or repeated option of a schedule"},
    {NESTBIND_BAD_VALUE, "not a value of this schedule option"},
    {NESTBIND_PARTLY_PLACED, "some pages are not on the node that they should be on"},
    {NESTBIND_NOT_MAPPED, "some of the range is no memory of this process"},
    {NESTBIND_NOT_PERMITTED, "the process is not permitted to find or move pages"},
    {NESTBIND_NO_MODULE, "libnestbind-memory.so could not be loaded"},
    {NESTBIND_TOO_LATE, "libnestbind was loaded after the OpenMP runtime or the C library"},
    {NESTBIND_TURNED_OFF, "the site has turned this off for everybody"},
};

}  // namespace

const char* strerror(int error) {
  for (const Meaning& meaning : kMeanings) {
    if (meaning.error == error) {
      return meaning.text;
    }
  }
  return "unknown error";
}

std::size_t describe(std::string_view text, const Fault& fault, char* buffer, std::size_t size) {
  return support::describe(text, fault.position, spec::strerror(fault.error), fault.expected,
                           buffer, size);
}

}  // namespace nestbind::spec
