// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "spec/spec.hpp"

namespace nestbind::show {

// Return the canonical text of a specification, and of one level ("4,subscatter").
std::string canonical(const spec::Spec& spec);
std::string canonical(const spec::Level& level);

}  // namespace nestbind::show
