// SPDX-License-Identifier: BSD-3-Clause
#include "cli/map.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <string>

#include "cli/asked_machine.hpp"
#include "cli/map/result.hpp"
#include "cli/map/scotch.hpp"
#include "cli/message.hpp"
#include "cli/preload.hpp"
#include "cli/specification.hpp"
#include "mapping/communication.hpp"
#include "mapping/map.hpp"
#include "plan/make.hpp"
#include "show/canonical.hpp"
#include "support/user_file.hpp"

namespace nestbind::cli {

namespace {

// Returns an exit status.
int read_communication(const std::string& name, const mapping::Threads& threads,
                       mapping::Communication& pairs) {
  std::string text;
  const int error = support::read_user_file(name.c_str(), mapping::kLargestCommunication,
                                            support::Streams::kRead, text);
  if (error != 0) {
    say("{}: {}", name, std::strerror(error));
    return kFailure;
  }
  mapping::Fault fault;
  if (!mapping::parse_communication(text, threads, pairs, fault)) {
    say_printable(printable(name) + ", " + mapping::describe(text, fault));
    return kUsage;
  }
  return kSuccess;
}

// The mapper that is asked for; none where there is none. Says so, and fails where it has to be
// this one.
bool find_mapper(const MapOptions& options, mapping::Mapper& mapper) {
  if (options.method == "greedy") {
    return true;
  }
  const auto library = find_library("");
  const std::string program = library ? map::find_scotch(*library) : "";
  if (!program.empty()) {
    mapper = [program](const mapping::Target& target) { return map::ask_scotch(program, target); };
    return true;
  }
  if (options.method == "scotch") {
    say("map: this nestbind was built without SCOTCH (Debian: libscotch-dev)");
    return false;
  }
  remark(
      "map: this nestbind was built without SCOTCH (Debian: libscotch-dev); mapped by its own "
      "method, which often costs more");
  return true;
}

// Says where SCOTCH was to be asked, and did not answer.
mapping::Mapping find_order(const mapping::Problem& problem, const mapping::Mapper& mapper) {
  mapping::Mapping found = mapping::map(problem, mapper);
  if (found.has_refused) {
    remark(
        "map: SCOTCH did not answer (is its library installed? Debian: libscotch-7.0); mapped by "
        "nestbind's own method, which often costs more");
  }
  return found;
}

bool write_order(const std::string& name, const std::string& text) {
  std::ofstream file(name, std::ios::binary | std::ios::trunc);
  file << text;
  file.close();
  if (!file) {
    say("{}: cannot be written: {}", name, std::strerror(errno));
  }
  return static_cast<bool>(file);
}

}  // namespace

int map_command(const MapOptions& options) {
  spec::Spec spec;
  if (!read_specification(options.spec, spec)) {
    return kUsage;
  }
  if (spec.is_off()) {
    say("map: \"off\" has no threads to be mapped");
    return kUsage;
  }
  int status = kSuccess;
  const auto asked = read_asked_machine(options.machine, status);
  mapping::Mapper mapper;
  if (!asked || !find_mapper(options, mapper)) {
    return asked ? kFailure : status;
  }
  plan::Plan plan = plan::make(spec, asked->topology, asked->smt, asked->cores);
  const mapping::Threads threads = mapping::make_threads(plan);
  mapping::Communication pairs;
  status = read_communication(options.communication, threads, pairs);
  if (status != kSuccess) {
    return status;
  }
  const mapping::Distances distances(plan.machine());
  const mapping::Problem problem(threads, pairs, distances);
  map::Result result{
      show::canonical(spec),     asked->topology.summary(),  threads.count(), pairs.size(), 0,
      static_cast<bool>(mapper), find_order(problem, mapper)};
  for (const mapping::Pair& pair : pairs) {
    result.weight += pair.weight;
  }
  if (!options.output.empty() && !write_order(options.output, map::file_of(result))) {
    return kFailure;
  }
  const std::string text = options.format == "json" ? map::json_of(result) : map::text_of(result);
  std::fputs(text.c_str(), stdout);
  return kSuccess;
}

}  // namespace nestbind::cli
