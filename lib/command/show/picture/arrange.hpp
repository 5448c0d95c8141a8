// SPDX-License-Identifier: BSD-3-Clause
// Arranges the machine on its canvas, with as much detail as fits.
#pragma once

#include "show/picture/scene.hpp"

namespace nestbind::show::picture {

// The scene is never wider than the canvas. If there are too many rows, reduces detail.
Scene arrange(const Subject& subject);

}  // namespace nestbind::show::picture
