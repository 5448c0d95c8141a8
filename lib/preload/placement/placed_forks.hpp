// SPDX-License-Identifier: BSD-3-Clause
// Gives places to the teams that lib/preload/team reports. A fork of threads that are already bound
// costs a few loads. It needs no system call, allocation, lock or write to shared memory.
#pragma once

namespace nestbind::placement {

// Makes lib/preload/team report forks to this folder. Called when there is a specification.
void follow();

// Like follow(), but for root threads that divide the machine: each of them also records when its
// outermost region ends. Also works if root threads do not divide a later specification's plan.
void follow_roots();

}  // namespace nestbind::placement
