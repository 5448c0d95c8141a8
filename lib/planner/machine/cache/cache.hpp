// SPDX-License-Identifier: BSD-3-Clause
// The machine as another process of this user on this node has read it (NESTBIND_CACHE in
// nestbind-environment(7)). These functions do not throw, because after any failure a process can
// read the machine itself. A file is used only if no other user can have written it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "machine/hardware.hpp"
#include "support/files.hpp"

namespace nestbind::machine::cache {

// Identifies the contents of a file of the cache.
struct Key {
  // the file's name, made from the node's name and the processors that a cpuset allows
  std::string file;
  std::string text;  // the node's boot and the writer; a file with another text is not used
};

// Returns the key of this process on the running system. writer: identifies the program, because
// other versions may write other records. Returns none if the kernel does not report enough, or if
// environment variables may change hwloc's result. Also returns none if the program has privileges
// that its user does not have.
std::optional<Key> key_of_this_process(std::string_view writer);

// Returns the key of a machine that a user names. state: a text that changes if the machine's file
// changes.
Key key_of_given(const std::string& source, std::string_view state);

// Convert hardware to the bytes of a file and back. unseal() returns none if the bytes are damaged
// or have another key.
std::string seal(const Hardware& hardware, const Key& key);
std::optional<Hardware> unseal(std::string_view bytes, const Key& key);

// An open folder to which only this user can write.
class Folder {
 public:
  // setting: the value of NESTBIND_CACHE. For "off" there is no folder. Null stands for the user's
  // folder on the running system ($XDG_RUNTIME_DIR), if this folder exists. Other folders are
  // created if they are missing.
  static Folder open(const char* setting);

  bool is_usable() const { return folder_.is_open(); }

  std::optional<Hardware> read(const Key& key) const;

  // Writes the whole file or nothing, also while other processes read and write it. Returns whether
  // writing succeeded.
  bool write(const Hardware& hardware, const Key& key) const;

  // These functions read and write any bytes, as read() and write() do for hardware. If
  // write_bytes() fails, it returns false and sets errno.
  std::optional<std::string> read_bytes(const Key& key) const;
  bool write_bytes(std::string_view bytes, const Key& key) const;

 private:
  explicit Folder(int folder) : folder_(folder) {}
  support::Descriptor folder_;
};

}  // namespace nestbind::machine::cache
