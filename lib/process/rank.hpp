// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace nestbind::process {

// The number of this process in its MPI job, as its launcher has written it; "0" where there is
// none.
const char* rank();

// The same, or null where there is none.
const char* told_rank();

}  // namespace nestbind::process
