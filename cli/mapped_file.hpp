// SPDX-License-Identifier: BSD-3-Clause
// A file in memory, read only. Every access is checked against its length.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace nestbind::cli {

class MappedFile {
 public:
  // On a failure `fault` is filled.
  explicit MappedFile(const std::string& path);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  const std::string& fault() const { return fault_; }
  std::string_view bytes() const { return {data_, size_}; }

  // Copies what is at `offset`; false if it is not all within the file.
  template <typename T>
  bool get(std::uint64_t offset, T& value) const {
    if (offset > size_ || size_ - offset < sizeof value) {
      return false;
    }
    std::memcpy(&value, data_ + offset, sizeof value);
    return true;
  }

  // The nul-terminated string at `offset`; empty if it is not within the file.
  std::string_view string_at(std::uint64_t offset) const;

 private:
  const char* data_ = nullptr;
  std::size_t size_ = 0;
  std::string fault_;
};

}  // namespace nestbind::cli
