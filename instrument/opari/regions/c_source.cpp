// SPDX-License-Identifier: BSD-3-Clause
#include <cstddef>
#include <utility>

#include "instrument/opari/regions/c_statements.hpp"
#include "instrument/opari/regions/regions.hpp"

namespace nestbind::opari {

namespace {

std::string on_one_line(std::string_view text) {
  std::string result;
  char quote = '\0';
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (quote != '\0') {
      quote = text[i] == quote && text[i - 1] != '\\' ? '\0' : quote;
    } else if (text[i] == '"' || text[i] == '\'') {
      quote = text[i];
    } else if (text.substr(i, 2) == "//") {
      break;
    } else if (text.substr(i, 2) == "/*") {
      const std::size_t end = text.find("*/", i + 2);
      i = end == std::string_view::npos ? text.size() : end + 1;
      result += ' ';
      continue;
    }
    const bool continued =
        text[i] == '\\' && i + 1 < text.size() && (text[i + 1] == '\n' || text[i + 1] == '\r');
    result += continued || text[i] == '\n' || text[i] == '\r' ? ' ' : text[i];
  }
  return trim(result);
}

// Declarations from the tools' headers. The last two functions are additions of our POMP2 library.
constexpr const char* kOpari2 =
    // This type is int64_t. In a preprocessed text the headers' names are not available.
    "typedef int nestbind_int64 __attribute__((__mode__(__DI__)));\n"
    "extern void POMP2_Parallel_fork(void **, int, int, nestbind_int64 *, const char *);\n"
    "extern void POMP2_Parallel_begin(void **);\n"
    "extern void POMP2_Parallel_end(void **);\n"
    "extern void POMP2_Parallel_join(void **, nestbind_int64);\n"
    "extern void POMP2_Assign_handle(void **, const char *);\n"
    "extern int POMP2_Lib_get_max_threads(void);\n"
    "extern nestbind_int64 nestbind_carried(void);\n"
    "extern void nestbind_carry(nestbind_int64);\n";
constexpr const char* kOpari1 =
    "struct ompregdescr { const char *name; const char *sub_name; int num_sections;\n"
    "  const char *file_name; int begin_first_line, begin_last_line, end_first_line, "
    "end_last_line;\n"
    "  void *data; struct ompregdescr *next; };\n"
    "extern void pomp_parallel_fork(struct ompregdescr *);\n"
    "extern void pomp_parallel_begin(struct ompregdescr *);\n"
    "extern void pomp_parallel_end(struct ompregdescr *);\n"
    "extern void pomp_parallel_join(struct ompregdescr *);\n";

std::string opari2_functions(const Calls& call, const std::string& number) {
  return "static void *" + call.handle + " = 0;\nstatic void nestbind_fork_" + number +
         "(int pomp2_if, int pomp2_num_threads, nestbind_int64 *nestbind_task,\n"
         "    nestbind_int64 *nestbind_word) {\n  nestbind_int64 pomp2_old_task = 0;\n  " +
         call.fork_with(in_quotes(call.context)) +
         ";\n  *nestbind_task = pomp2_old_task;\n  *nestbind_word = nestbind_carried();\n}\n"
         "static void nestbind_begin_" +
         number + "(nestbind_int64 nestbind_word) {\n  nestbind_carry(nestbind_word);\n  " +
         call.begin + ";\n}\nstatic void nestbind_end_" + number + "(void) { " + call.end +
         "; }\nstatic void nestbind_join_" + number + "(nestbind_int64 pomp2_old_task) { " +
         call.join + "; }\n";
}

std::string opari1_functions(const Calls& call, const Region& region, const std::string& number) {
  const auto function = [&](const char* event, const std::string& body) {
    return "static void nestbind_" + std::string(event) + "_" + number + "(void) { " + body +
           "; }\n";
  };
  return descriptor(call, region) + function("fork", call.fork) + function("begin", call.begin) +
         function("end", call.end) + function("join", call.join);
}

class CSource : public Source {
 public:
  CSource(std::string text, const std::string& name, Language language)
      : Source(std::move(text), name, language) {
    find_regions();
  }

  std::string woven(const std::vector<Calls>& calls, const std::string& name) const override {
    Edits edits;
    std::size_t first = 0;
    const auto& lines = places_.lines();
    while (first < lines.size() && lines[first].is_mark) {
      ++first;
    }
    const std::size_t begin = first < lines.size() ? lines[first].begin : text_.size();
    edits.replace(begin, begin, places_.own_mark(first) + functions(calls) + places_.mark(first),
                  -1);
    for (std::size_t i = 0; i < extents_.size(); ++i) {
      weave(i, calls[0].are_opari2(), edits);
    }
    std::string result = edits.applied_to(text_);
    if (!result.empty() && result.back() != '\n') {
      result += '\n';
    }
    return result + places_.own_mark(lines.size()) + initialiser(calls, name);
  }

 private:
  struct Extent {
    Directive directive;
    std::size_t begin;
    std::size_t body;
    std::size_t end;
  };

  void find_regions() {
    if (text_.find("parallel") == std::string::npos) {
      return;
    }
    const std::vector<Token> tokens = read_tokens(text_);
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      if (tokens[i].kind != Token::kDirective) {
        continue;
      }
      auto directive = read_parallel(on_one_line(directive_text(text_, tokens[i])), language_);
      if (!directive) {
        continue;
      }
      if (directive->is_loop()) {
        directive->loop_variables = loop_variables(text_, tokens, i + 1, directive->loops());
      }
      const std::size_t first = places_.line_at(tokens[i].begin);
      const Place place = places_.place(first);
      const auto behind = end_of_statement(text_, tokens, i + 1);
      if (!behind) {
        remarks_.push_back(
            {place.file, place.line, "the end of this parallel region is not found"});
        continue;
      }
      const std::size_t end = tokens[*behind - 1].end;
      const std::size_t last = places_.line_at(tokens[i].end - 1);
      extents_.push_back({*directive, tokens[i].begin, tokens[i].end, end});
      regions_.push_back({place.file, place.line, places_.place(last).line,
                          places_.place(places_.line_at(end - 1)).line});
    }
    find_attributes(tokens);
  }

  void find_attributes(const std::vector<Token>& tokens) {
    if (text_.find("omp") == std::string::npos || language_ != Language::kCxx) {
      return;
    }
    const auto text_at = [&](std::size_t i) {
      return i < tokens.size()
                 ? std::string_view(text_).substr(tokens[i].begin, tokens[i].end - tokens[i].begin)
                 : std::string_view();
    };
    for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
      if (text_at(i) != "[" || text_at(i + 1) != "[") {
        continue;
      }
      bool is_openmp = false;
      for (std::size_t j = i + 2; j < tokens.size() && text_at(j) != "]" && text_at(j) != ";";
           ++j) {
        is_openmp = is_openmp || text_at(j) == "omp";
        if (is_openmp && text_at(j) == "parallel") {
          const Place place = places_.place(places_.line_at(tokens[j].begin));
          remarks_.push_back(
              {place.file, place.line, "a parallel region in an attribute stays as it is"});
          break;
        }
      }
    }
  }

  std::string functions(const std::vector<Calls>& calls) const {
    const bool cxx = language_ == Language::kCxx;
    std::string text = cxx ? "extern \"C\" {\n" : "";
    text += calls[0].are_opari2() ? kOpari2 : kOpari1;
    text += cxx ? "}\n" : "";
    for (std::size_t i = 0; i < calls.size(); ++i) {
      const std::string number = std::to_string(i + 1);
      text += calls[i].are_opari2() ? opari2_functions(calls[i], number)
                                    : opari1_functions(calls[i], regions_[i], number);
    }
    return text;
  }

  std::string initialiser(const std::vector<Calls>& calls, const std::string& name) const {
    if (!calls[0].are_opari2()) {
      return "";
    }
    const std::string heading = (language_ == Language::kCxx ? "extern \"C\" void POMP2_Init_reg_"
                                                             : "void POMP2_Init_reg_") +
                                name + "_" + std::to_string(calls.size()) + "(void)";
    std::string text = heading + ";\n" + heading + " {\n";
    for (const Calls& call : calls) {
      text += "  POMP2_Assign_handle(&" + call.handle + ", " + in_quotes(call.context) + ");\n";
    }
    return text + "}\n";
  }

  void weave(std::size_t i, bool opari2, Edits& edits) const {
    const Extent& extent = extents_[i];
    const std::string number = std::to_string(i + 1);
    const std::string condition = "nestbind_if_" + number;
    const std::string threads = "nestbind_threads_" + number;
    const Parts parts = split(extent.directive, condition);
    const std::size_t first = places_.line_at(extent.begin);
    const std::size_t next = places_.line_at(extent.body - 1) + 1;
    const std::size_t last = places_.line_at(extent.end - 1);
    const std::string own = places_.own_mark(first);
    const std::string users = places_.mark(first);

    std::string before = own + "{\n";
    std::string clauses = parts.outer.empty() ? "" : " " + parts.outer;
    std::string kept = opari2 ? "nestbind_word_" + number : "";
    if (!parts.condition.empty()) {
      before += "int " + condition + " = (" + parts.condition + ") ? 1 : 0;\n";
      clauses += " if(" + condition + ")";
      if (parts.condition_inside) {
        kept += (kept.empty() ? "" : ", ") + condition;
      }
    }
    if (!parts.threads.empty()) {
      before += "int " + threads + " = (int)(" + parts.threads + ");\n";
      clauses += " num_threads(" + threads + ")";
    }
    if (opari2) {
      before += "nestbind_int64 nestbind_task_" + number + " = 0, nestbind_word_" + number +
                " = 0;\n" + "nestbind_fork_" + number + "(" +
                (parts.condition.empty() ? "1" : condition) + ", " +
                (parts.threads.empty() ? "POMP2_Lib_get_max_threads()" : threads) +
                ", &nestbind_task_" + number + ", &nestbind_word_" + number + ");\n";
    } else {
      before += "nestbind_fork_" + number + "();\n";
    }
    if (!kept.empty()) {
      clauses += " firstprivate(" + kept + ")";
    }
    before += users + "#pragma omp parallel" + clauses + "\n" + own + "{\nnestbind_begin_" +
              number + "(" + (opari2 ? "nestbind_word_" + number : "") + ");\n";
    if (!parts.inner.empty()) {
      before += users + "#pragma omp " + parts.inner + "\n";
    }
    edits.replace(extent.begin, extent.body, before + places_.mark(next), 1);

    const std::size_t column = extent.end - places_.lines()[last].begin;
    const std::string after = "\n" + places_.own_mark(last) +
                              (parts.barrier ? "#pragma omp barrier\n" : "") + "nestbind_end_" +
                              number + "();\n}\nnestbind_join_" + number + "(" +
                              (opari2 ? "nestbind_task_" + number : "") + ");\n}\n" +
                              places_.mark(last) + std::string(column, ' ');
    // If several regions end at one place, the region that began last must end first.
    edits.replace(extent.end, extent.end, after, -static_cast<int>(i));
  }

  std::vector<Extent> extents_;
};

}  // namespace

std::unique_ptr<Source> read_c(std::string text, const std::string& name, Language language) {
  return std::make_unique<CSource>(std::move(text), name, language);
}

}  // namespace nestbind::opari
