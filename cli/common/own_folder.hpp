// SPDX-License-Identifier: BSD-3-Clause
// A folder from which the loader may load. Only this user can write to it.
#pragma once

#include <optional>
#include <string>

namespace nestbind::cli {

// Finds or makes this user's folder `name` in $XDG_RUNTIME_DIR/nestbind, or else in
// $TMPDIR/nestbind-UID or /tmp/nestbind-UID. Later programs use it, too. If it cannot be made, or
// if another user could write to it, returns nothing and sets `fault`.
std::optional<std::string> own_folder(const std::string& name, std::string& fault);

// Makes the link `folder`/`name` to an absolute path, unless it exists. If the link cannot be made,
// or has another target, sets `fault` and returns false. Several processes may do this at once.
bool make_link(const std::string& folder, const std::string& name, const std::string& target,
               std::string& fault);

}  // namespace nestbind::cli
