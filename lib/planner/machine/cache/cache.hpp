// SPDX-License-Identifier: BSD-3-Clause
// The machine as another process of the same user on the same node has read it (NESTBIND_CACHE in
// nestbind-environment(7)). Nothing here throws for what it finds or cannot do: then there is no
// cache. Believed is only what nobody but the user can have written.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "machine/hardware.hpp"
#include "support/files.hpp"

namespace nestbind::machine::cache {

// What a cache is for.
struct Key {
  std::string file;  // its name: of the node and the processors that a cpuset allows there
  std::string text;  // what has to be the same: also since when the node runs, and who wrote
};

// The key of this process, on the running system. writer: tells apart programs that may write
// other records. None where the kernel does not tell enough, where variables of hwloc may give it
// another view, and in programs with privileges that their user does not have.
std::optional<Key> key_of_this_process(std::string_view writer);

// The key of a machine that a user names. state: what has to be the same besides.
Key key_of_given(const std::string& source, std::string_view state);

// The bytes of a file, and the hardware in them: none where they are damaged or have another key.
std::string seal(const Hardware& hardware, const Key& key);
std::optional<Hardware> unseal(std::string_view bytes, const Key& key);

// A folder that only this user can write to, open as long as this is there.
class Folder {
 public:
  // setting: of NESTBIND_CACHE; "off": none; null: the user's folder for the running system
  // ($XDG_RUNTIME_DIR), if there is one. Another one is made, if it is missing.
  static Folder open(const char* setting);

  bool is_usable() const { return folder_.is_open(); }

  std::optional<Hardware> read(const Key& key) const;

  // Whole or not at all, also while others read and write. Returns whether it is there.
  bool write(const Hardware& hardware, const Key& key) const;

  // The same of bytes that are no hardware. Whether they were written; if not, errno says why.
  std::optional<std::string> read_bytes(const Key& key) const;
  bool write_bytes(std::string_view bytes, const Key& key) const;

 private:
  explicit Folder(int folder) : folder_(folder) {}
  support::Descriptor folder_;
};

}  // namespace nestbind::machine::cache
