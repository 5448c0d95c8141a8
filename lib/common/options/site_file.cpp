// SPDX-License-Identifier: BSD-3-Clause
#include "options/site_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include "options/table.hpp"
#include "support/decimal.hpp"
#include "support/errno_kept.hpp"
#include "support/files.hpp"

namespace nestbind::options {

const char* site_file() { return NESTBIND_SITE_FILE; }

namespace {

constexpr Variable kNotForSites[] = {kRuntime, kMachine, kSchedule,    kMemory,
                                     kOrder,   kRun,     kRegionRules, kRecords,
                                     kStarted, kTraffic, kGivenDevices};

bool is_for_sites(int variable) {
  for (const Variable one : kNotForSites) {
    if (one == variable) {
      return false;
    }
  }
  return true;
}

char* trimmed(char* text) {
  while (support::is_blank(*text)) {
    ++text;
  }
  char* end = text + strlen(text);
  for (; end > text && support::is_blank(end[-1]); --end) {
  }
  *end = '\0';
  return text;
}

SiteLine read_off(const char* name) {
  for (int i = 0; i < kFeatures; ++i) {
    if (strcmp(kFeatureNames[i], name) == 0) {
      return {.feature = i};
    }
  }
  return {.fault =
              "expected one of these words after off: workers, schedules, memory, ranks, reorder, "
              "everything"};
}

SiteLine read_default(const char* name, const char* value) {
  for (int i = 0; i < kVariables; ++i) {
    if (strcmp(kTable[i].rule.name, name) == 0 && is_for_sites(i)) {
      Settings unused;
      return take(kTable[i].rule, value, unused)
                 ? SiteLine{.variable = i, .value = value}
                 : SiteLine{.variable = i, .fault = "the variable has no such value"};
    }
  }
  return {.fault = "this variable does not exist, or a site cannot set it"};
}

const char* fault_of(const support::Descriptor& file, struct stat& status) {
  if (!file.is_open()) {
    return errno == ENOENT ? nullptr : "it cannot be read";
  }
  if (fstat(file.number(), &status) != 0 || !S_ISREG(status.st_mode)) {
    return "it is not a regular file";
  }
  if (status.st_uid != 0 || (status.st_mode & (S_IWGRP | S_IWOTH)) != 0) {
    return "users other than root may write it";
  }
  return status.st_size > kMostSiteText ? "it is larger than 4096 bytes" : nullptr;
}

}  // namespace

const char* read_site_file(SiteText& text) {
  constexpr int kFlags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY;
  const support::ErrnoKept errno_kept;
  const support::Descriptor file(support::system_call(SYS_openat, AT_FDCWD, site_file(), kFlags));
  struct stat status{};
  const char* const fault = fault_of(file, status);
  const long got = fault != nullptr || !file.is_open()
                       ? 0
                       : support::system_call(SYS_read, file.number(), text, kMostSiteText);
  text[got < 0 ? 0 : got] = '\0';
  return fault;
}

SiteLine read_site_line(char* line) {
  char* const text = trimmed(line);
  constexpr unsigned kOff = 3;
  if (text[0] == '\0' || text[0] == '#') {
    return {};
  }
  if (strncmp(text, "off", kOff) == 0 && support::is_blank(text[kOff])) {
    return read_off(trimmed(text + kOff));
  }
  char* const equals = strchr(text, '=');
  if (equals == nullptr) {
    return {.fault = "expected NAME=VALUE, or the word off and a feature"};
  }
  *equals = '\0';
  return read_default(trimmed(text), trimmed(equals + 1));
}

}  // namespace nestbind::options
