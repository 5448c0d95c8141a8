// SPDX-License-Identifier: BSD-3-Clause
// Whether the loader takes a file as a library.
#pragma once

#include <string>
#include <string_view>

namespace nestbind::cli::inspect {

struct Loadable {
  enum class Answer {
    kYes,
    kOther,  // of another class or machine: the loader looks on
    kNo      // it gives up, and the program does not start; `fault` says why
  };
  Answer answer = Answer::kYes;
  std::string fault;
};

// As open_verify() and _dl_map_object_from_fd() of glibc (elf/dl-load.c) check before they map.
Loadable loadable(std::string_view bytes);

}  // namespace nestbind::cli::inspect
