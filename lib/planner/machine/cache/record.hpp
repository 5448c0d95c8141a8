// SPDX-License-Identifier: BSD-3-Clause
// Hardware as bytes: what libnestbind-topology.so hands over, and what a cache keeps.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "machine/hardware.hpp"

namespace nestbind::machine::cache {

// In the byte order of this machine. Of distances what was read: whose count is chosen afterwards.
std::string encode(const Hardware& hardware);

// None where the bytes are not what encode() writes, or an invariant of hardware (invariants.hpp)
// is broken; then `why`, if given, says in words what is wrong.
std::optional<Hardware> decode(std::string_view bytes, const char** why = nullptr);

}  // namespace nestbind::machine::cache
