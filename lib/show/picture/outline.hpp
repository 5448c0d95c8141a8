// SPDX-License-Identifier: BSD-3-Clause
// The machine where not even boxes fit: their titles, and lines of cores.
#pragma once

#include "show/picture/scene.hpp"

namespace nestbind::show::picture {

// As wide as the subject's canvas, of as many rows as it takes.
Scene outline(const Subject& subject);

}  // namespace nestbind::show::picture
