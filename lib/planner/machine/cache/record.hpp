// SPDX-License-Identifier: BSD-3-Clause
// Hardware as bytes: the result of libnestbind-topology.so, and the contents of a cache's file.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "machine/hardware.hpp"

namespace nestbind::machine::cache {

std::string encode(const Hardware& hardware);

// Returns none if encode() cannot have written the bytes, or if they break an invariant of hardware
// (invariants.hpp). `why` (or null) then gets the reason in words.
std::optional<Hardware> decode(std::string_view bytes, const char** why = nullptr);

}  // namespace nestbind::machine::cache
