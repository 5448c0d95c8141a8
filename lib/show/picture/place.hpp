// SPDX-License-Identifier: BSD-3-Clause
// What has been measured, put where it goes.
#pragma once

#include "show/picture/measure.hpp"
#include "show/picture/scene.hpp"

namespace nestbind::show::picture {

// `size` is what the machine takes of the subject's canvas.
Scene place(Measure& measure, const Size& size);

}  // namespace nestbind::show::picture
