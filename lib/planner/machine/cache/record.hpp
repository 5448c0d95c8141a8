// SPDX-License-Identifier: BSD-3-Clause
// Hardware as bytes: the result of libnestbind-topology.so, and the contents of a cache's file.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "machine/hardware.hpp"

namespace nestbind::machine::cache {

std::string encode(const Hardware& hardware);

// Returns none if the bytes are damaged, or if the hardware breaks an invariant (invariants.hpp).
std::optional<Hardware> decode(std::string_view bytes, const char** why = nullptr);

}  // namespace nestbind::machine::cache
