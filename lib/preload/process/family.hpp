// SPDX-License-Identifier: BSD-3-Clause
// Whether this process has forked a child.
#pragma once

namespace nestbind::process {

void note_child();
bool has_child();

}  // namespace nestbind::process
