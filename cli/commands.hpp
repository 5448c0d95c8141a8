// SPDX-License-Identifier: BSD-3-Clause
// The subcommands: each describes its options in a file add_NAME.cpp, and does its work in
// NAME.cpp.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace nestbind::cli {

// One use of the command.
struct Call {
  std::vector<std::string> behind_dashes;  // what stands behind "--" of run and tune
  int status = 0;                          // the exit status, filled by the subcommand that ran
};

// Each adds its subcommand to the command; parsing its words does what it is for, and fills the
// status. `call` outlives the command.
void add_run(CLI::App& app, Call& call);
void add_plan(CLI::App& app, Call& call);
void add_explain(CLI::App& app, Call& call);
void add_suggest(CLI::App& app, Call& call);
void add_topology(CLI::App& app, Call& call);
void add_doctor(CLI::App& app, Call& call);
void add_trace(CLI::App& app, Call& call);
void add_top(CLI::App& app, Call& call);
void add_tune(CLI::App& app, Call& call);
void add_memory(CLI::App& app, Call& call);
void add_map(CLI::App& app, Call& call);
void add_balance(CLI::App& app, Call& call);
void add_probe(CLI::App& app, Call& call);
void add_lines(CLI::App& app, Call& call);
void add_job(CLI::App& app, Call& call);

// All subcommands, or where the first word is the name of one, that one: describing the others
// would be a tenth of what run takes.
void add_subcommands(CLI::App& app, const std::string& first_word, Call& call);

// Their names, in the order of the help.
std::vector<std::string> subcommand_names();

}  // namespace nestbind::cli
