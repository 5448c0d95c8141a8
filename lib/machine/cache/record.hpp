// SPDX-License-Identifier: BSD-3-Clause
// Hardware as bytes: what libnestbind-topology.so hands over, and what a cache keeps.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "machine/hardware.hpp"

namespace nestbind::machine::cache {

// In the byte order of this machine.
std::string encode(const Hardware& hardware);

// None where the bytes are not what encode() writes, as far as others rely on it: every number is
// in range, objects lie within their parents and do not overlap, and they are not nested deeply.
std::optional<Hardware> decode(std::string_view bytes);

}  // namespace nestbind::machine::cache
