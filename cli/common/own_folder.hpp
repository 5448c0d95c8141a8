// SPDX-License-Identifier: BSD-3-Clause
// Makes a folder to which only this user can write, so that the loader may load files from it.
#pragma once

#include <optional>
#include <string>

namespace nestbind::cli {

// Finds or makes this user's folder `name` in $XDG_RUNTIME_DIR/nestbind, or else in
// $TMPDIR/nestbind-UID or /tmp/nestbind-UID. If the folder cannot be made, or if another user could
// write to the folder, returns nothing and sets `fault`.
std::optional<std::string> own_folder(const std::string& name, std::string& fault);

// Makes the link `folder`/`name` to an absolute path, unless the link exists. If the link cannot be
// made, or has another target, sets `fault` and returns false. Several processes may call this
// function at the same time.
bool make_link(const std::string& folder, const std::string& name, const std::string& target,
               std::string& fault);

}  // namespace nestbind::cli
