// SPDX-License-Identifier: BSD-3-Clause
// Saves the machine in a file, so that later processes of this user need not read it from hwloc
// (NESTBIND_CACHE in nestbind-environment(7)). These functions throw no exceptions. A file is used
// only if no other user can have written it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "machine/cache/record.hpp"
#include "machine/hardware.hpp"
#include "support/files.hpp"

namespace nestbind::machine::cache {

// writer: identifies the program. Returns none if the kernel does not report enough, or if
// environment variables may change hwloc's result. Also returns none if the program has privileges
// that its user does not have.
std::optional<Key> key_of_this_process(std::string_view writer);

// state: a text that changes if the machine's file changes.
Key key_of_given(const std::string& source, std::string_view state);

// unseal() returns none if the bytes are damaged or have another key.
std::string seal(const Hardware& hardware, const Key& key);
std::optional<Hardware> unseal(std::string_view bytes, const Key& key);

class Folder {
 public:
  // setting: the value of NESTBIND_CACHE. Null stands for the user's folder ($XDG_RUNTIME_DIR), if
  // this folder exists. Other folders are created if they are missing.
  static Folder open(const char* setting);

  bool is_usable() const { return folder_.is_open(); }

  std::optional<Hardware> read(const Key& key) const;

  // Writes the whole file or nothing, also while other processes read and write it.
  bool write(const Hardware& hardware, const Key& key) const;

  // If write_bytes() fails, it returns false and sets errno.
  std::optional<std::string> read_bytes(const Key& key) const;
  bool write_bytes(std::string_view bytes, const Key& key) const;

 private:
  explicit Folder(int folder) : folder_(folder) {}
  support::Descriptor folder_;
};

}  // namespace nestbind::machine::cache
