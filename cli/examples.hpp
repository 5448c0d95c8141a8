// SPDX-License-Identifier: BSD-3-Clause
// The examples of a subcommand's help.
#pragma once

namespace CLI {
class App;
}

namespace nestbind::cli {

// What stands below a subcommand's help: two examples, each a line as it is typed, and what it
// does.
struct Example {
  const char* line;
  const char* does;
};
void set_examples(CLI::App& command, const Example& first, const Example& second);

}  // namespace nestbind::cli
