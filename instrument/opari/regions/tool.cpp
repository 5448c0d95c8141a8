// SPDX-License-Identifier: BSD-3-Clause
#include <array>

#include "instrument/opari/regions/clauses.hpp"
#include "instrument/opari/regions/regions.hpp"

namespace nestbind::opari {

namespace {

std::string in_parentheses(std::string_view text, std::size_t open) {
  std::string result;
  int depth = 0;
  char quote = '\0';
  for (std::size_t i = open; i < text.size(); ++i) {
    const char c = text[i];
    if (quote == '\0' && (c == '\n' || c == '\r')) {
      // A continued Fortran line ends with "&", and the next line may begin with "&".
      while (!result.empty() && (result.back() == ' ' || result.back() == '&')) {
        result.pop_back();
      }
      const std::size_t next = text.find_first_not_of(" \t\r\n", i);
      i = next == std::string_view::npos ? text.size() : next - (text[next] == '&' ? 0 : 1);
      result += ' ';
      continue;
    }
    quote = quote != '\0' ? (c == quote ? '\0' : quote) : c == '"' ? c : '\0';
    result += c;
    depth += quote == '\0' && c == '(' ? 1 : quote == '\0' && c == ')' ? -1 : 0;
    if (depth == 0) {
      break;
    }
  }
  return result;
}

std::vector<std::string> calls_of(std::string_view output, const std::string& lower_output,
                                  const std::string& event) {
  std::vector<std::string> found;
  const std::string end_of_name = "_parallel_" + event;
  for (std::size_t at = 0; (at = lower_output.find(end_of_name, at)) != std::string::npos;) {
    std::size_t begin = at;
    while (begin > 0 && is_word_character(output[begin - 1])) {
      --begin;
    }
    at += end_of_name.size();
    const std::size_t open = output.find_first_not_of(" \t", at);
    if (open != std::string_view::npos && output[open] == '(') {
      found.emplace_back(output.substr(begin, at - begin));
      found.back() += in_parentheses(output, open);
    }
  }
  return found;
}

std::string handle_of(const std::string& call) {
  std::size_t begin = call.find('(') + 1;
  while (begin < call.size() && !is_word_character(call[begin])) {
    ++begin;
  }
  std::size_t end = begin;
  while (end < call.size() && is_word_character(call[end])) {
    ++end;
  }
  return call.substr(begin, end - begin);
}

std::string literal_behind(std::string_view text, const std::string& name) {
  std::size_t at = 0;
  do {
    at = text.find(name, at);
    if (at == std::string_view::npos) {
      return "";
    }
    at += name.size();
  } while (at < text.size() && is_word_character(text[at]));
  const std::size_t end_of_line = text.find('\n', at);
  std::size_t open = text.find('"', at);
  // In Fortran the first use of the name is a declaration of its length.
  if (open == std::string_view::npos ||
      (open > end_of_line &&
       text.substr(at, end_of_line - at).find('=') == std::string_view::npos)) {
    return "";
  }
  std::string result;
  while (open < text.size() && text[open] == '"') {
    const std::size_t close = text.find('"', open + 1);
    if (close == std::string_view::npos) {
      break;
    }
    result += text.substr(open + 1, close - open - 1);
    open = text.find_first_not_of(" \t\r\n&/", close + 1);
  }
  return result;
}

std::string with_value(const std::string& context, const std::string& key,
                       const std::string& value) {
  const std::size_t at = context.find("*" + key + "=");
  const std::size_t begin = at + key.size() + 2;
  return at == std::string::npos
             ? context
             : context.substr(0, begin) + value + context.substr(context.find('*', begin));
}

std::string context_of(const std::string& written, const Region& region) {
  const auto place = [&](int first, int last) {
    return region.file + ":" + std::to_string(first) + ":" + std::to_string(last);
  };
  std::string context =
      with_value(written, "sscl", place(region.first_line, region.last_directive_line));
  context = with_value(context, "escl", place(region.last_line, region.last_line));
  context = context.substr(std::min(context.find('*'), context.size()));
  return std::to_string(context.size() + 2) + context;
}

}  // namespace

std::string skeleton(const Source& source, bool fortran) {
  std::string text = fortran ? "      program nestbind\n" : "void nestbind(void) {\n";
  for (std::size_t i = 0; i < source.regions().size(); ++i) {
    text += fortran ? "!$omp parallel\n      call body()\n!$omp end parallel\n"
                    : "#pragma omp parallel\n{\nbody();\n}\n";
  }
  return text + (fortran ? "      end program\n" : "}\n");
}

std::vector<Calls> read_calls(std::string_view output, std::string_view declarations,
                              const std::vector<Region>& regions, bool fortran) {
  const std::string lower_output = lower(output);
  static const std::array<std::string, 4> events = {"fork", "begin", "end", "join"};
  std::array<std::vector<std::string>, 4> found;
  std::size_t count = regions.size();
  for (std::size_t i = 0; i < events.size(); ++i) {
    found[i] = calls_of(output, lower_output, events[i]);
    count = std::min(count, found[i].size());
  }
  std::vector<Calls> calls;
  for (std::size_t i = 0; i < count; ++i) {
    Calls call{found[0][i], found[1][i], found[2][i], found[3][i], handle_of(found[1][i]), "", ""};
    constexpr std::string_view kHandle = "opari2_region_";
    if (call.handle.starts_with(kHandle)) {
      call.context_name = "opari2_ctc_" + call.handle.substr(kHandle.size());
      call.context = context_of(literal_behind(declarations, call.context_name), regions[i]);
    } else if (fortran) {
      call.handle = "omp_rd_" + call.handle;
    }
    calls.push_back(call);
  }
  return calls;
}

std::string in_quotes(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    result += c == '"' || c == '\\' ? "\\" : "";
    result += c;
  }
  return result + "\"";
}

std::string descriptor(const Calls& calls, const Region& region) {
  const auto line = [](int value) { return ", " + std::to_string(value); };
  return "struct ompregdescr " + calls.handle + " = { \"parallel\", \"\", 0, " +
         in_quotes(region.file) + line(region.first_line) + line(region.last_directive_line) +
         line(region.last_line) + line(region.last_line) + ", 0, 0 };\n";
}

std::string descriptors(const std::vector<Calls>& calls, const std::vector<Region>& regions) {
  std::string text;
  for (std::size_t i = 0; i < calls.size(); ++i) {
    text += descriptor(calls[i], regions[i]);
  }
  return text;
}

}  // namespace nestbind::opari
