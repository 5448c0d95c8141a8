// SPDX-License-Identifier: BSD-3-Clause
// The machine as another process of this user on this node has read it (NESTBIND_CACHE in
// nestbind-environment(7)). Nothing here throws: a failure only means that there is no cache. A
// file is used only if no other user can have written it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "machine/hardware.hpp"
#include "support/files.hpp"

namespace nestbind::machine::cache {

// Identifies the contents of a cache's file.
struct Key {
  std::string file;  // its name, made from the node and the processors that a cpuset allows
  std::string text;  // the node's boot and the writer; must be equal, too
};

// The key of this process on the running system. writer: identifies the program, because other
// versions may write other records. Returns none if the kernel does not report enough, if hwloc's
// variables may change its view, or if the program has privileges that its user does not have.
std::optional<Key> key_of_this_process(std::string_view writer);

// The key of a machine that a user names. state: a text that changes if the machine's file changes.
Key key_of_given(const std::string& source, std::string_view state);

// The bytes of a file, and the hardware in them (none if they are damaged or have another key).
std::string seal(const Hardware& hardware, const Key& key);
std::optional<Hardware> unseal(std::string_view bytes, const Key& key);

// An open folder to which only this user can write.
class Folder {
 public:
  // setting: the value of NESTBIND_CACHE. "off" gives no folder. Null gives the user's folder for
  // the running system ($XDG_RUNTIME_DIR), if it exists. Other folders are created if they are
  // missing.
  static Folder open(const char* setting);

  bool is_usable() const { return folder_.is_open(); }

  std::optional<Hardware> read(const Key& key) const;

  // Writes all or nothing, also while other processes read and write. Returns whether it succeeded.
  bool write(const Hardware& hardware, const Key& key) const;

  // Reads and writes any bytes in the same way. write_bytes() returns false with errno if it fails.
  std::optional<std::string> read_bytes(const Key& key) const;
  bool write_bytes(std::string_view bytes, const Key& key) const;

 private:
  explicit Folder(int folder) : folder_(folder) {}
  support::Descriptor folder_;
};

}  // namespace nestbind::machine::cache
