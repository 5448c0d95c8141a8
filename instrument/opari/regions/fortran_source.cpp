// SPDX-License-Identifier: BSD-3-Clause
#include <cstddef>
#include <limits>
#include <utility>

#include "instrument/opari/regions/fortran_constructs.hpp"
#include "instrument/opari/regions/regions.hpp"

namespace nestbind::opari {

namespace {

// A line has 72 columns in each form, and our text begins in the seventh.
constexpr std::size_t kWidth = 66;

// Returns how many characters fit into this line.
std::size_t length_of_line(std::string_view text) {
  if (text.size() <= kWidth - 2) {
    return text.size();
  }
  std::size_t found = 0;
  char quote = '\0';
  for (std::size_t i = 0; i < kWidth - 2; ++i) {
    const char c = text[i];
    if (quote != '\0') {
      quote = c == quote ? '\0' : quote;
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == ',' || c == ' ' || c == '(' || (c == '/' && i > 0 && text[i - 1] == '/')) {
      found = i + 1;
    }
  }
  return found > 0 ? found : kWidth - 2;
}

std::string lines_of(std::string_view text, std::string_view first, std::string_view next,
                     std::string_view continues) {
  std::string result;
  std::string_view start = first;
  do {
    const std::size_t length = length_of_line(text);
    result += start;
    result += text.substr(0, length);
    text.remove_prefix(length);
    result += text.empty() ? "" : continues;
    result += '\n';
    start = next;
  } while (!text.empty());
  return result;
}

std::string statement_lines(std::string_view text, Language language) {
  return language == Language::kFixed ? lines_of(text, "      ", "     &", "")
                                      : lines_of(text, "      ", "     &", "&");
}

std::string directive_lines(std::string_view text, Language language) {
  return language == Language::kFixed ? lines_of(text, "!$omp ", "!$omp&", "")
                                      : lines_of(text, "!$omp ", "!$omp&", "&");
}

std::string literal(std::string_view text) {
  constexpr std::size_t kPiece = 40;
  std::string result = "\"";
  std::size_t length = 0;
  for (const char c : text) {
    if (++length > kPiece) {
      result += "\"//\"";
      length = 1;
    }
    result += c == '"' ? "\"" : "";
    result += c;
  }
  return result + "\"";
}

std::string numbered(const std::string& name, std::size_t number) {
  return "nestbind_" + name + "_" + std::to_string(number + 1);
}

std::string clause(const std::string& name, const std::string& list) {
  return list.empty() ? "" : " " + name + "(" + list + ")";
}

void append(std::string& list, const std::string& more) {
  if (!more.empty()) {
    list += (list.empty() ? "" : ", ") + more;
  }
}

std::string with_last_line_ended(std::string text) {
  if (!text.empty() && text.back() != '\n') {
    text += '\n';
  }
  return text;
}

class FortranSource : public Source {
 public:
  FortranSource(std::string text, const std::string& name, Language language, std::size_t width)
      : Source(with_last_line_ended(std::move(text)), name, language),
        items_(read_items(text_, places_, language, width)) {
    Constructs found = find_constructs(items_, language);
    constructs_ = std::move(found.all);
    units_ = std::move(found.units);
    for (const std::size_t item : found.without_end) {
      const Place place = places_.place(items_[item].first);
      remarks_.push_back({place.file, place.line, "the end of this parallel region is not found"});
    }
    add_regions();
  }

  std::string woven(const std::vector<Calls>& calls, const std::string& name) const override {
    const bool opari2 = calls[0].are_opari2();
    Edits edits;
    declare(edits, opari2, name);
    for (const Construct& construct : constructs_) {
      if (construct.is_region) {
        weave(construct, opari2, name, edits);
      } else {
        weave_around(construct, opari2, edits);
      }
    }
    std::string result = edits.applied_to(text_) + places_.mark(places_.lines().size());
    for (std::size_t i = 0; i < calls.size(); ++i) {
      result += procedure(calls[i], i, name);
    }
    return result + (opari2 ? initialiser(calls, name) : "");
  }

 private:
  void add_regions() {
    for (Construct& construct : constructs_) {
      if (!construct.is_region) {
        continue;
      }
      const Item& first = items_[construct.item];
      const Place place = places_.place(first.first);
      construct.number = regions_.size();
      regions_.push_back({place.file, place.line, places_.place(first.last).line,
                          places_.place(items_[construct.end].last).line});
    }
  }

  std::string own_variables(const Construct& construct, bool opari2) const {
    const Parts parts = split(construct.directive, "");
    std::string list;
    if (opari2) {
      append(list, numbered("task", construct.number));
      append(list, numbered("word", construct.number));
    }
    append(list, parts.threads.empty() ? "" : numbered("threads", construct.number));
    append(list, parts.condition.empty() ? "" : numbered("if", construct.number));
    return list;
  }

  std::string variables_within(const Construct& outer, bool opari2) const {
    std::string list;
    for (const Construct& construct : constructs_) {
      if (construct.is_region && construct.item > outer.item && construct.item < outer.end) {
        append(list, own_variables(construct, opari2));
      }
    }
    return list;
  }

  void weave(const Construct& construct, bool opari2, const std::string& name, Edits& edits) const {
    const Item& item = items_[construct.item];
    const std::size_t number = construct.number;
    const std::string condition = numbered("if", number);
    const std::string threads = numbered("threads", number);
    const std::string word = numbered("word", number);
    const Parts parts = split(construct.directive, condition);
    const auto call = [&](int event, const std::string& arguments) {
      return statement_lines("call " + numbered(name, number) + "(" + std::to_string(event) + "_4" +
                                 (opari2 ? ", " + arguments : "") + ")",
                             language_);
    };
    const std::string mark = places_.mark(item.first);
    const std::string none = ".true._4, 0_8, ";

    std::string before;
    std::string clauses = parts.outer.empty() ? "" : " " + parts.outer;
    std::string kept = opari2 ? word : "";
    if (!parts.threads.empty()) {
      before += statement_lines(threads + " = " + parts.threads, language_);
      clauses += " num_threads(" + threads + ")";
    }
    if (!parts.condition.empty()) {
      before += statement_lines(condition + " = " + parts.condition, language_);
      clauses += " if(" + condition + ")";
      append(kept, parts.condition_inside ? condition : "");
    }
    const std::string within = variables_within(construct, opari2);
    clauses += clause("firstprivate", kept) + clause("private", within);
    before += call(1, (parts.condition.empty() ? ".true._4, " : condition + ", ") +
                          (parts.threads.empty() ? "0_8, " : threads + ", ") +
                          numbered("task", number) + ", " + word);
    before += mark + directive_lines("parallel" + clauses, language_) +
              call(2, none + word + ", " + word);
    if (!parts.inner.empty()) {
      const bool has_data = construct.directive.has_inner("taskloop");
      before += mark + directive_lines(parts.inner + (has_data ? clause("private", within) : ""),
                                       language_);
    }
    edits.replace(offset_of(item.first), offset_of(item.last + 1),
                  before + places_.mark(item.last + 1), 1);

    const Item& end = items_[construct.end];
    std::string after = construct.has_end_directive ? places_.mark(end.first) : "";
    if (!parts.inner.empty()) {
      after += directive_lines("end " + construct.directive.inner, language_);
    }
    after += (parts.barrier ? directive_lines("barrier", language_) : "") +
             call(3, none + word + ", " + word) + directive_lines("end parallel", language_) +
             call(4, none + numbered("task", number) + ", " + word) + places_.mark(end.last + 1);
    edits.replace(offset_of(construct.has_end_directive ? end.first : end.last + 1),
                  offset_of(end.last + 1), after, -static_cast<int>(number));
  }

  void weave_around(const Construct& construct, bool opari2, Edits& edits) const {
    const std::string within = variables_within(construct, opari2);
    if (within.empty()) {
      return;
    }
    const Item& item = items_[construct.item];
    edits.replace(offset_of(item.first), offset_of(item.last + 1),
                  places_.mark(item.first) +
                      directive_lines(item.text + clause("private", within), language_) +
                      places_.mark(item.last + 1),
                  1);
  }

  void declare(Edits& edits, bool opari2, const std::string& name) const {
    for (std::size_t unit = 0; unit < units_.size(); ++unit) {
      std::string text;
      const auto add = [&](const std::string& type, const std::string& names) {
        std::string line = type;
        line += " :: ";
        line += names;
        text += names.empty() ? "" : statement_lines(line, language_);
      };
      for (const Construct& construct : constructs_) {
        if (!construct.is_region || construct.unit != unit) {
          continue;
        }
        const Parts parts = split(construct.directive, "");
        const std::size_t number = construct.number;
        add("external", numbered(name, number));
        add("integer(kind=8)",
            opari2 ? numbered("task", number) + ", " + numbered("word", number) : "");
        add("integer(kind=8)", parts.threads.empty() ? "" : numbered("threads", number));
        add("logical(kind=4)", parts.condition.empty() ? "" : numbered("if", number));
      }
      if (!text.empty()) {
        const std::size_t line = units_[unit].declarations;
        edits.replace(offset_of(line), offset_of(line), text + places_.mark(line),
                      std::numeric_limits<int>::min());
      }
    }
  }

  std::string procedure(const Calls& calls, std::size_t number, const std::string& name) const {
    const bool opari2 = calls.are_opari2();
    const std::string full = numbered(name, number);
    std::string text;
    const auto line = [&](const std::string& statement) {
      text += statement_lines(statement, language_);
    };
    line("subroutine " + full + "(nestbind_event" +
         (opari2 ? ", pomp2_if, nestbind_threads, pomp2_old_task, nestbind_word" : "") + ")");
    line("implicit none");
    line("integer(kind=4) :: nestbind_event");
    if (opari2) {
      line("logical(kind=4) :: pomp2_if");
      line("integer(kind=8) :: nestbind_threads, pomp2_old_task, nestbind_word");
      line("integer(kind=4) :: pomp2_num_threads");
      line("integer(kind=4), external :: pomp2_lib_get_max_threads");
      line("integer(kind=8), save :: " + calls.handle + " = 0_8");
    }
    line("select case (nestbind_event)");
    if (opari2) {
      line("case (0_4)");
      line("call pomp2_assign_handle(" + calls.handle + ", " + literal(calls.context) + ")");
    }
    line("case (1_4)");
    if (opari2) {
      line("pomp2_num_threads = int(nestbind_threads, 4)");
      line("if (pomp2_num_threads == 0_4) then");
      line("pomp2_num_threads = pomp2_lib_get_max_threads()");
      line("end if");
      line("pomp2_old_task = 0_8");
    }
    line("call " + calls.fork_with(literal(calls.context)));
    if (opari2) {
      line("call nestbind_carried(nestbind_word)");
    }
    line("case (2_4)");
    if (opari2) {
      line("call nestbind_carry(nestbind_word)");
    }
    line("call " + calls.begin);
    line("case (3_4)");
    line("call " + calls.end);
    line("case (4_4)");
    line("call " + calls.join);
    line("end select");
    line("end subroutine " + full);
    return text;
  }

  std::string initialiser(const std::vector<Calls>& calls, const std::string& name) const {
    const std::string full = "POMP2_Init_reg_" + name + "_" + std::to_string(calls.size());
    std::string text = statement_lines("subroutine " + full + "()", language_) +
                       statement_lines("implicit none", language_) +
                       statement_lines("integer(kind=8) :: nestbind_word", language_) +
                       statement_lines("nestbind_word = 0_8", language_);
    for (std::size_t i = 0; i < calls.size(); ++i) {
      text += statement_lines(
          "call " + numbered(name, i) + "(0_4, .true._4, 0_8, nestbind_word, nestbind_word)",
          language_);
    }
    return text + statement_lines("end subroutine " + full, language_);
  }

  std::size_t offset_of(std::size_t line) const {
    return line < places_.lines().size() ? places_.lines()[line].begin : text_.size();
  }

  std::vector<Item> items_;
  Units units_;
  std::vector<Construct> constructs_;
};

}  // namespace

std::unique_ptr<Source> read_fortran(std::string text, const std::string& name, Language language,
                                     std::size_t width) {
  return std::make_unique<FortranSource>(std::move(text), name, language, width);
}

}  // namespace nestbind::opari
