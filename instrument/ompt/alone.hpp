// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace nestbind::ompt {

// Registers the callbacks for a runtime whose only tool is ours. Several calls do no harm.
void register_alone(int runtime);

}  // namespace nestbind::ompt
