// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace nestbind::process {

// What a strict user does not want has come (NESTBIND_STRICT=1): says so, and ends the program.
[[noreturn]] void refuse();

}  // namespace nestbind::process
