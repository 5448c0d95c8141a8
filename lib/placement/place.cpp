// SPDX-License-Identifier: BSD-3-Clause
#include "placement/place.hpp"

namespace nestbind::placement {

constinit const Place g_apart{};
constinit const Place g_apart_root{};

}  // namespace nestbind::placement
