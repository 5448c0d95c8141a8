// SPDX-License-Identifier: BSD-3-Clause
#include "options/table.hpp"

#include <stddef.h>
#include <string.h>

#include "support/decimal.hpp"

namespace nestbind::options {

namespace into {

bool report(Settings& settings, const char* value, int) {
  constexpr char kNow[] = ",now";
  constexpr size_t kNowLetters = sizeof kNow - 1;
  int format = static_cast<int>(ReportFormat::kNone);
  for (const char* word : kReportWords) {
    ++format;
    const size_t letters = strlen(word);
    const bool begins = strncmp(value, word, letters) == 0;
    const bool is_now = begins && strncmp(value + letters, kNow, kNowLetters) == 0;
    const char* rest = begins ? value + letters + (is_now ? kNowLetters : 0) : value;
    const bool has_file = rest[0] == ':' && rest[1] != '\0';
    if (begins && (has_file || rest[0] == '\0')) {
      settings.report = static_cast<ReportFormat>(format);
      settings.report_now = is_now;
      settings.report_file = has_file ? rest + 1 : nullptr;
      return true;
    }
  }
  return false;
}

namespace {

bool take_count(const char* value, int& into) {
  constexpr int kMost = 1000;
  int number = 0;
  const bool is_good = support::read_decimal(value, strlen(value), kMost, number) && number >= 1;
  into = is_good ? number : into;
  return is_good;
}

int take_number(const char*& at) {
  constexpr int kMost = 999999;
  const char* const begin = at;
  const auto number = static_cast<int>(support::take_decimal(at, nullptr, kMost));
  return at == begin || number > kMost ? -1 : number;
}

}  // namespace

bool smt(Settings& settings, const char* value, int) { return take_count(value, settings.smt); }

bool roots(Settings& settings, const char* value, int word) {
  const bool is_good = word >= 0 || take_count(value, settings.root_parts);
  if (is_good) {
    settings.roots = word == 0 ? Roots::kFirst : Roots::kDivide;
  }
  return is_good;
}

bool cores(Settings& settings, const char*, int word) {
  settings.cores = word;
  return true;
}

bool cache(Settings& settings, const char* value, int word) {
  const bool is_good = word == 0 || value[0] == '/';
  settings.cache = is_good ? value : settings.cache;
  return is_good;
}

bool publish(Settings& settings, const char* value, int word) {
  const bool is_good = word == 0 || value[0] == '/';
  settings.publish = is_good && word != 0 ? value : settings.publish;
  settings.publishes = is_good ? word != 0 : settings.publishes;
  return is_good;
}

bool across(Settings& settings, const char* value, int word) {
  constexpr char kEvery[] = "every=";
  constexpr size_t kLetters = sizeof kEvery - 1;
  settings.balance_every = word == 0 ? 0 : word == 1 ? -1 : settings.balance_every;
  return word >= 0 || (strncmp(value, kEvery, kLetters) == 0 &&
                       take_count(value + kLetters, settings.balance_every));
}

bool ranks(Settings& settings, const char* value, int word) {
  if (word >= 0) {
    settings.ranks = word == 0 ? Ranks::kDivide : Ranks::kShared;
    return true;
  }
  const int local = take_number(value);
  const int of = *value == '/' ? take_number(++value) : -1;
  const bool is_good = local >= 0 && local < of && *value == '\0';
  if (is_good) {
    settings.ranks = Ranks::kByHand;
    settings.local_rank = local;
    settings.local_ranks = of;
  }
  return is_good;
}

}  // namespace into

bool take(const Rule& rule, const char* value, Settings& into) {
  int word = 0;
  while (rule.words[word] != nullptr && strcmp(rule.words[word], value) != 0) {
    ++word;
  }
  const bool is_word = rule.words[word] != nullptr;
  return (is_word || rule.others != nullptr) && rule.take(into, value, is_word ? word : -1);
}

Expected expected(const Rule& rule) {
  Expected result{};
  size_t length = 0;
  const auto add = [&](const char* part) {
    for (; *part != '\0' && length + 1 < sizeof result.text; ++part) {
      result.text[length++] = *part;
    }
  };
  for (int i = 0; rule.words[i] != nullptr; ++i) {
    add(i == 0 ? "" : rule.words[i + 1] != nullptr ? ", " : " or ");
    add(rule.words[i]);
  }
  add(rule.others == nullptr ? "" : rule.others);
  return result;
}

}  // namespace nestbind::options
