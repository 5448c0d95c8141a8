// SPDX-License-Identifier: BSD-3-Clause
// Arranges the machine on its canvas, with as much detail as fits.
#pragma once

#include "show/picture/scene.hpp"

namespace nestbind::show::picture {

// Arranges a picture that is never wider than the canvas.
Scene arrange(const Subject& subject);

}  // namespace nestbind::show::picture
