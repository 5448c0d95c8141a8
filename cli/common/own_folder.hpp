// SPDX-License-Identifier: BSD-3-Clause
// A folder from which the loader may load. Only this user can write to it.
#pragma once

#include <optional>
#include <string>

namespace nestbind::cli {

// This user's folder `name`, made if it is missing: in $XDG_RUNTIME_DIR/nestbind, or else in
// $TMPDIR/nestbind-UID or /tmp/nestbind-UID. Later programs use it, too. Not set, with the reason
// in `fault`, if it cannot be made or another user could write to it.
std::optional<std::string> own_folder(const std::string& name, std::string& fault);

// Makes the link `folder`/`name` to an absolute path, unless it exists. False, with the reason in
// `fault`, if it cannot be made or has another target. Several processes may do this at once.
bool make_link(const std::string& folder, const std::string& name, const std::string& target,
               std::string& fault);

}  // namespace nestbind::cli
