// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace nestbind::memory {

// For products of counts.
__extension__ using Wide = unsigned __int128;

}  // namespace nestbind::memory
