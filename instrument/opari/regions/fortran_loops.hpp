// SPDX-License-Identifier: BSD-3-Clause
// Where a loop or a BLOCK ends in Fortran.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "instrument/opari/regions/fortran_items.hpp"

namespace nestbind::opari {

// Statements, by their compact text.
bool is_do(std::string_view compact, std::string& label);
std::string loop_variable(
    std::string_view compact);  // of a DO statement; empty where there is none
bool is_end_do(std::string_view compact);
bool is_block(std::string_view compact);

// The item that ends the loop, or the block, that a statement begins; items.size() where none does.
std::size_t end_of_loop(const std::vector<Item>& items, std::size_t first);
std::size_t end_of_block(const std::vector<Item>& items, std::size_t first);

}  // namespace nestbind::opari
