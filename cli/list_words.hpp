// SPDX-License-Identifier: BSD-3-Clause
// nestbind --list-words: what there is to type, for completion (share/) and for the test that
// compares the lists.
#pragma once

#include <string>

namespace CLI {
class App;
}

namespace nestbind::cli {

// A line for each word, its parts between tabulators; the subcommands are those of the app:
//   command NAME WHAT-IT-DOES
//   argument COMMAND NAME              what stands without an option: SPEC, PROGRAM, SHAPE, FILE...
//   option COMMAND --NAME VALUE WORDS WHAT-IT-DOES     VALUE: what its value is, "-" for none;
//                                      WORDS: the values that there are, with commas, or "-"
//   size WORD, strategy WORD, domain WORD              of a specification
//   variable NAME
std::string list_of_words(CLI::App& app);

}  // namespace nestbind::cli
