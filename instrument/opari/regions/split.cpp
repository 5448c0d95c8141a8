// SPDX-License-Identifier: BSD-3-Clause
#include <cstddef>
#include <set>
#include <string_view>
#include <vector>

#include "instrument/opari/regions/clauses.hpp"

namespace nestbind::opari {

namespace {

using Names = std::set<std::string>;

std::string text_of(const Clause& clause) {
  return clause.has_argument ? clause.name + "(" + clause.argument + ")" : clause.name;
}

std::size_t colon_of(std::string_view argument) {
  int depth = 0;
  for (std::size_t i = 0; i < argument.size(); ++i) {
    const char c = argument[i];
    depth += deeper_by(c);
    if (c == ':' && depth == 0) {
      if (i + 1 < argument.size() && argument[i + 1] == ':') {
        ++i;
      } else {
        return i;
      }
    }
  }
  return std::string_view::npos;
}

std::vector<std::string> list_of(std::string_view text) {
  std::vector<std::string> items;
  int depth = 0;
  std::string item;
  for (const char c : text) {
    depth += deeper_by(c);
    if (c == ',' && depth == 0) {
      items.push_back(trim(item));
      item.clear();
    } else {
      item += c;
    }
  }
  if (!trim(item).empty()) {
    items.push_back(trim(item));
  }
  return items;
}

std::vector<std::string> items_of(const Clause& clause) {
  const std::string_view argument = clause.argument;
  const std::size_t colon = colon_of(argument);
  if (colon == std::string_view::npos) {
    return list_of(argument);
  }
  return list_of(clause.name == "linear" ? argument.substr(0, colon) : argument.substr(colon + 1));
}

// For "a[0:n]", adds "a". For "val(x)", adds "x" if `modified` is true.
void add_names(const std::vector<std::string>& items, bool modified, Names& names) {
  for (const std::string& item : items) {
    const std::size_t open = item.find_first_of("([");
    if (modified && open != std::string::npos && item[open] == '(') {
      add_names(list_of(item.substr(open + 1, item.rfind(')') - open - 1)), false, names);
    } else {
      names.insert(trim(item.substr(0, open)));
    }
  }
}

std::string list_clause(const std::string& name, const Names& names) {
  std::string text;
  for (const std::string& item : names) {
    text += text.empty() ? "" : ",";
    text += item;
  }
  return text.empty() ? text : " " + name + "(" + text + ")";
}

class Splitter {
 public:
  Splitter(const Directive& directive, const std::string& condition_name)
      : directive_(directive),
        condition_name_(condition_name),
        for_each_iteration_(directive.has_inner("simd") || directive.has_inner("taskloop") ||
                            directive.has_inner("loop")),
        taskloop_(directive.has_inner("taskloop")) {
    for (const Clause& clause : directive.clauses) {
      if (clause.name == "lastprivate" || clause.name == "linear") {
        add_names(items_of(clause), clause.name == "linear", late_);
      }
    }
  }

  Parts run() {
    for (const Clause& clause : directive_.clauses) {
      add(clause);
    }
    for (const Clause& clause : directive_.clauses) {
      if (clause.name == "allocate" && !directive_.inner.empty()) {
        add_allocate(clause);
      }
    }
    if (strict_ && for_each_iteration_) {
      // The loop variables' values after the loop are used outside of the loop.
      for (const std::string& name : directive_.loop_variables) {
        if (!named_.contains(name)) {
          shared_.insert(name);
        }
      }
    }
    if (strict_) {
      parts_.outer += list_clause("shared", shared_);
    }
    parts_.outer = trim(parts_.outer);
    if (!directive_.inner.empty()) {
      parts_.inner = directive_.inner + inner_;
    }
    const bool shares_work = directive_.has_inner("for") || directive_.has_inner("do") ||
                             directive_.has_inner("sections") ||
                             directive_.has_inner("workshare") || directive_.inner == "loop";
    parts_.barrier = !shares_work;
    return parts_;
  }

 private:
  void outer(const std::string& text) { parts_.outer += " " + text; }
  void inner(const std::string& text) { inner_ += " " + text; }

  void add(const Clause& clause) {
    const std::string& name = clause.name;
    if (name == "default" && lower(clause.argument) != "shared") {
      strict_ = true;
    }
    if (name == "if") {
      add_if(clause);
    } else if (name == "num_threads") {
      parts_.threads = clause.argument;
    } else if (directive_.inner.empty()) {
      outer(text_of(clause));
    } else {
      add_to_parts(clause);
    }
  }

  void add_to_parts(const Clause& clause) {
    static const Names inner_names = {
        "schedule", "ordered",  "collapse",  "order",        "safelen",     "simdlen",
        "aligned",  "filter",   "grainsize", "num_tasks",    "final",       "untied",
        "nogroup",  "priority", "mergeable", "in_reduction", "nontemporal", "bind"};
    const std::string& name = clause.name;
    if (inner_names.contains(name)) {
      inner(text_of(clause));
    } else if (name == "default" || name == "shared") {
      add_names(items_of(clause), false, named_);
      outer(text_of(clause));
      if (taskloop_) {
        inner(text_of(clause));
      }
    } else if (name == "private") {
      add_names(items_of(clause), false, private_outside_);
      add_names(items_of(clause), false, named_);
      outer(text_of(clause));
      if (for_each_iteration_) {
        add_names(items_of(clause), false, private_inside_);
        inner(text_of(clause));
      }
    } else if (name == "firstprivate") {
      add_firstprivate(clause);
    } else if (name == "lastprivate" || name == "linear") {
      inside(clause, name == "linear");
    } else if (name == "reduction") {
      add_reduction(clause);
    } else if (name != "allocate") {
      outer(text_of(clause));
    }
  }

  void inside(const Clause& clause, bool modified = false) {
    inner(text_of(clause));
    add_names(items_of(clause), modified, shared_);
    add_names(items_of(clause), modified, private_inside_);
  }

  void add_if(const Clause& clause) {
    const std::size_t colon = clause.argument.find(':');
    const std::string modifier =
        colon == std::string::npos ? "" : lower(trim(clause.argument.substr(0, colon)));
    if (modifier == "simd" || modifier == "taskloop") {
      inner(text_of(clause));
      return;
    }
    const bool named = modifier == "parallel";
    parts_.condition = named ? trim(clause.argument.substr(colon + 1)) : clause.argument;
    if (!named && (directive_.has_inner("simd") || taskloop_)) {
      parts_.condition_inside = true;
      inner("if(" + condition_name_ + ")");
    }
  }

  void add_firstprivate(const Clause& clause) {
    Names names;
    add_names(items_of(clause), false, names);
    Names here;
    Names there;
    for (const std::string& item : names) {
      (late_.contains(item) ? there : here).insert(item);
    }
    parts_.outer += list_clause("firstprivate", here);
    private_outside_.insert(here.begin(), here.end());
    if (taskloop_) {
      there.insert(here.begin(), here.end());
    }
    inner_ += list_clause("firstprivate", there);
    private_inside_.insert(there.begin(), there.end());
  }

  void add_reduction(const Clause& clause) {
    if (for_each_iteration_ || clause.argument.find("inscan") != std::string::npos) {
      inner(text_of(clause));
      Names names;
      // "modifier, operator : list". The operator may be a qualified name in C++.
      add_names(items_of(clause), false, names);
      shared_.insert(names.begin(), names.end());
      private_inside_.insert(names.begin(), names.end());
    } else {
      add_names(items_of(clause), false, private_outside_);
      outer(text_of(clause));
    }
  }

  void add_allocate(const Clause& clause) {
    const std::size_t colon = colon_of(clause.argument);
    const std::string how = colon == std::string::npos ? "" : clause.argument.substr(0, colon + 1);
    Names names;
    add_names(items_of(clause), false, names);
    for (const std::string& item : names) {
      const std::string text = text_of({"allocate", how + item, true});
      if (private_outside_.contains(item)) {
        outer(text);
      }
      if (private_inside_.contains(item)) {
        inner(text);
      }
    }
  }

  const Directive& directive_;
  const std::string& condition_name_;
  bool for_each_iteration_;
  bool taskloop_;
  bool strict_ = false;
  Parts parts_;
  std::string inner_;
  Names late_;  // variables that the last iteration sets
  Names named_;
  Names shared_;  // variables from outside that the inner directive uses
  Names private_outside_;
  Names private_inside_;
};

}  // namespace

Parts split(const Directive& directive, const std::string& condition_name) {
  return Splitter(directive, condition_name).run();
}

}  // namespace nestbind::opari
