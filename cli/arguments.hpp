// SPDX-License-Identifier: BSD-3-Clause
// The words of the command line, as the parser of options is given them.
#pragma once

#include <string>
#include <vector>

namespace nestbind::cli {

struct Arguments {
  std::vector<std::string> own;
  std::vector<std::string>
      program;          // what stands behind "--" of run and tune, whatever it looks like
  bool prints = false;  // the output is for a shell's eval
};

// Without the name of the command itself.
Arguments split(int argc, char** argv);

// The specification as it was given: split() puts a blank in front of one that looks like an
// option.
void unshield(std::string& spec);

}  // namespace nestbind::cli
