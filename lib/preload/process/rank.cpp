// SPDX-License-Identifier: BSD-3-Clause
#include "process/rank.hpp"

#include <atomic>

#include "options/settings.hpp"
#include "ranks/launcher.hpp"

namespace nestbind::process {

namespace {

constinit std::atomic<const Part*> g_part{nullptr};
constinit std::atomic<TreePart> g_tree_part{TreePart{}};

}  // namespace

const char* told_rank() { return ranks::rank_in(options::variable); }

const Part* part() { return g_part.load(std::memory_order_acquire); }

void set_part(const Part& part) { g_part.store(&part, std::memory_order_release); }

TreePart tree_part() { return g_tree_part.load(std::memory_order_relaxed); }
void set_tree_part(TreePart part) { g_tree_part.store(part, std::memory_order_relaxed); }

}  // namespace nestbind::process
