// SPDX-License-Identifier: BSD-3-Clause
// nestbind-regions: changes a source before and after OPARI. There are two commands:
//
//   find LANGUAGE WIDTH NAME <TEXT >SKELETON
//   weave LANGUAGE WIDTH NAME TARGET CALLS DECLARATIONS [DESCRIPTORS] <TEXT >RESULT
//
// LANGUAGE is c, c++, free or fixed. WIDTH is the length of lines in fixed form. NAME is the
// source's name. TARGET is the output file, because a program may have a source twice. If the
// source has no regions, SKELETON is empty.
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <iostream>
#include <iterator>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "instrument/opari/regions/regions.hpp"

namespace {

using namespace nestbind::opari;

std::string read_all(std::istream& stream) {
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

std::string read_file(const std::string& path) {
  std::ifstream stream(path);
  if (!stream) {
    throw std::runtime_error("cannot read " + path);
  }
  return read_all(stream);
}

Language language_of(const std::string& word) {
  if (word == "c") {
    return Language::kC;
  }
  if (word == "c++") {
    return Language::kCxx;
  }
  return word == "fixed" ? Language::kFixed : Language::kFree;
}

std::unique_ptr<Source> read_source(std::string text, Language language, const std::string& width,
                                    const std::string& name) {
  return is_fortran(language) ? read_fortran(std::move(text), name, language,
                                             std::strtoul(width.c_str(), nullptr, 10))
                              : read_c(std::move(text), name, language);
}

std::string short_name(const std::string& text) {
  std::uint64_t hash = 14695981039346656037U;  // FNV-1a
  for (const unsigned char c : text) {
    hash = (hash ^ c) * 1099511628211U;
  }
  std::string name;
  for (; hash > 0; hash /= 36) {
    name += "0123456789abcdefghijklmnopqrstuvwxyz"[hash % 36];
  }
  return "n" + name;
}

int find(const std::vector<std::string>& arguments) {
  const Language language = language_of(arguments[1]);
  const auto source = read_source(read_all(std::cin), language, arguments[2], arguments[3]);
  for (const Remark& remark : source->remarks()) {
    std::cerr << "nestbind-instrument: " << remark.file << ":" << remark.line << ": " << remark.text
              << "\n";
  }
  if (!source->regions().empty()) {
    std::cout << skeleton(*source, is_fortran(language));
  }
  return 0;
}

int weave(const std::vector<std::string>& arguments) {
  const Language language = language_of(arguments[1]);
  const std::string text = read_all(std::cin);
  const auto source = read_source(text, language, arguments[2], arguments[3]);
  const auto calls = read_calls(read_file(arguments[5]), read_file(arguments[6]), source->regions(),
                                is_fortran(language));
  if (calls.size() < source->regions().size()) {
    std::cerr << "nestbind-instrument: " << arguments[3] << ": " << calls.size() << " of "
              << source->regions().size() << " parallel regions were instrumented by the tool\n";
    return 1;
  }
  if (arguments.size() > 7) {
    std::ofstream(arguments[7]) << descriptors(calls, source->regions());
  }
  std::cout << source->woven(calls, short_name(arguments[3] + '\n' + arguments[4] + '\n' + text));
  return 0;
}

}  // namespace

int main(int count, char** values) {
  const std::vector<std::string> arguments(values + 1, values + count);
  try {
    std::ios::sync_with_stdio(false);
    const bool finds = arguments.size() == 4 && arguments[0] == "find";
    const bool weaves = arguments.size() >= 7 && arguments[0] == "weave";
    if (!finds && !weaves) {
      std::cerr << "nestbind-regions: a part of nestbind-instrument\n";
      return 2;
    }
    const int status = finds ? find(arguments) : weave(arguments);
    std::cout.flush();
    return std::cout ? status : 1;
  } catch (const std::exception& error) {
    std::cerr << "nestbind-instrument: " << error.what() << "\n";
    return 1;
  }
}
