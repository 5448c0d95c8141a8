// SPDX-License-Identifier: BSD-3-Clause
// How nestbind begins in a process: once, at the first of its constructor, a fork, or a call.
#pragma once

namespace nestbind::runtime {

// Reads the environment, and puts its specification in force. Only the first call does anything.
void start();

// Something is specified: instruments are told to begin. Only the first call does anything.
void arm();

}  // namespace nestbind::runtime
