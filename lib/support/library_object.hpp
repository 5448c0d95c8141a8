// SPDX-License-Identifier: BSD-3-Clause
// An object of a C library's, which that fills in (kInit, 0: done) and gives back (kExit).
#pragma once

namespace nestbind::support {

template <typename Object, int (*kInit)(Object*), void (*kExit)(Object*)>
class LibraryObject {
 public:
  LibraryObject() : is_good_(kInit(&object_) == 0) {}
  ~LibraryObject() {
    if (is_good_) {
      kExit(&object_);
    }
  }
  LibraryObject(const LibraryObject&) = delete;
  LibraryObject& operator=(const LibraryObject&) = delete;
  Object* get() { return &object_; }
  bool is_good() const { return is_good_; }

 private:
  Object object_{};
  bool is_good_;
};

}  // namespace nestbind::support
