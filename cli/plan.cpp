// SPDX-License-Identifier: BSD-3-Clause
#include "cli/plan.hpp"

#include <cstdio>
#include <vector>

#include "cli/asked_machine.hpp"
#include "cli/message.hpp"
#include "cli/order.hpp"
#include "cli/specification.hpp"
#include "cli/terminal.hpp"
#include "show/planned.hpp"
#include "show/svg.hpp"

namespace nestbind::cli {

namespace {

std::string picture(const std::vector<show::Layout>& layouts, const show::Whole& whole) {
  const show::Canvas canvas = output_canvas();
  return layouts.size() == 1 ? show::picture_of(layouts[0], whole, canvas)
                             : show::pictures_of(layouts[0], layouts[1], whole, canvas);
}

std::string tables(const std::vector<show::Layout>& layouts) {
  std::string text;
  for (const show::Layout& layout : layouts) {
    text += (text.empty() ? "" : "\n") + show::text_of(layout);
  }
  return text;
}

std::string in_format(const std::string& format, const std::vector<show::Layout>& layouts,
                      const show::Whole& whole) {
  if (format == "picture") {
    return picture(layouts, whole);
  }
  if (format == "svg") {
    return show::svg_of(layouts, whole);
  }
  return format == "json" ? show::json_of(layouts[0]) : tables(layouts);
}

}  // namespace

int plan_command(const PlanOptions& options) {
  std::vector<std::string> texts = {options.spec};
  if (options.beside) {
    texts.push_back(*options.beside);
  }
  std::vector<spec::Spec> specs(texts.size());
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if (!read_specification(texts[i], specs[i])) {
      return kUsage;
    }
  }
  if (options.beside && options.format == "json") {
    say("--beside is for people: with --format json each specification is planned for itself");
    return kUsage;
  }
  plan::Order order;
  if (!read_order(options.order, order)) {
    return kUsage;
  }
  int status = kSuccess;
  const auto asked = read_asked_machine(options.machine, status);
  if (!asked) {
    return status;
  }
  std::vector<show::Layout> layouts;
  layouts.reserve(specs.size());
  for (const spec::Spec& spec : specs) {
    warn_of_order(options.order, order, spec, *asked);
    layouts.push_back(show::make_layout(spec, asked->topology, asked->smt, asked->cores, order));
  }
  const bool is_drawn = options.beside || is_on_terminal();
  const std::string format = !options.format.empty() ? options.format
                             : is_drawn              ? "picture"
                                                     : "text";
  const std::string text = in_format(format, layouts, {asked->hardware, asked->allowed});
  std::fputs(text.c_str(), stdout);
  return kSuccess;
}

}  // namespace nestbind::cli
