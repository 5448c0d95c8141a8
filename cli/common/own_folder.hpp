// SPDX-License-Identifier: BSD-3-Clause
// A folder of the user's own, from which the loader may load: nobody else can write there.
#pragma once

#include <optional>
#include <string>

namespace nestbind::cli {

// The path of the folder `name` of this user, which is made if it is missing: in
// $XDG_RUNTIME_DIR/nestbind or, where the session has none, in $TMPDIR/nestbind-UID or
// /tmp/nestbind-UID. It stays, for the programs that others start later. None, with the reason in
// `fault`, if it cannot be made, or if another user could write to it.
std::optional<std::string> own_folder(const std::string& name, std::string& fault);

// Makes the link `folder`/`name`, to an absolute path, unless it is there; false, with the reason
// in `fault`, if it cannot be made or leads elsewhere. Several processes may do so at once.
bool make_link(const std::string& folder, const std::string& name, const std::string& target,
               std::string& fault);

}  // namespace nestbind::cli
