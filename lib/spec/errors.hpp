// SPDX-License-Identifier: BSD-3-Clause
// What the error numbers of nestbind.h mean, for every interface.
#pragma once

namespace nestbind::spec {

// One line of English without a final period; never null: "unknown error" for a number that
// nestbind.h does not have.
const char* strerror(int error);

}  // namespace nestbind::spec
