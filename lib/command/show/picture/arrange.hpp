// SPDX-License-Identifier: BSD-3-Clause
// The machine on its canvas: as much detail as fits.
#pragma once

#include "show/picture/scene.hpp"

namespace nestbind::show::picture {

// No wider than the canvas, and where it would have more rows, with less detail, as far as that
// helps.
Scene arrange(const Subject& subject);

}  // namespace nestbind::show::picture
