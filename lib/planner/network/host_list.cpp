// SPDX-License-Identifier: BSD-3-Clause
#include "network/host_list.hpp"

#include <utility>

namespace nestbind::network {

namespace {

constexpr int kMostNumber = 999'999'999;

class Reader {
 public:
  Reader(std::string_view list, Fault& fault) : line_(list), fault_(fault) { line_.next(); }

  bool read(std::vector<std::string>& hosts) {
    while (true) {
      line_.at_end();
      std::vector<std::string> some{""};
      const std::size_t begin = at();
      while (!at_end() && next() != ',') {
        if (next() == ']' || support::is_blank(next())) {
          return refuse(
              next() == ']' ? "a bracket that was not opened" : "a blank in a host's name",
              "names with commas between them");
        }
        if (next() == '[') {
          if (!read_ranges(some)) {
            return false;
          }
        } else {
          for (std::string& host : some) {
            host += next();
          }
          ++at();
        }
      }
      if (at() == begin) {
        return refuse("no host", "a name such as node1 or node[01-64]");
      }
      if (hosts.size() + some.size() > kMostHosts) {
        return refuse("too many hosts", "at most " + std::to_string(kMostHosts) + " of them");
      }
      hosts.insert(hosts.end(), some.begin(), some.end());
      if (line_.at_end()) {
        return true;
      }
      ++at();
    }
  }

 private:
  std::size_t& at() { return line_.cursor().at; }
  bool at_end() { return line_.cursor().at_end(); }
  char next() { return line_.line()[at()]; }
  bool refuse(std::string what, std::string expected) {
    fault_ = line_.fault(std::move(what), std::move(expected));
    return false;
  }

  // Reads "[01-64,70]", and continues each host with each number.
  bool read_ranges(std::vector<std::string>& hosts) {
    std::vector<std::string> numbers;
    do {
      ++at();
      const std::size_t begin = at();
      int low = 0;
      if (!line_.read_number(kMostNumber, low)) {
        return refuse("no number in the brackets", "numbers or ranges such as [01-64,70]");
      }
      const std::size_t width = at() - begin;
      int high = low;
      if (!at_end() && next() == '-') {
        const std::size_t second = ++at();
        if (!line_.read_number(kMostNumber, high) || high < low) {
          at() = second;
          return refuse("no end of this range", "a number from " + std::to_string(low) + " on");
        }
      }
      if ((numbers.size() + static_cast<std::size_t>(high - low) + 1) * hosts.size() > kMostHosts) {
        at() = begin;
        return refuse("too many hosts", "at most " + std::to_string(kMostHosts) + " of them");
      }
      for (int number = low; number <= high; ++number) {
        const std::string digits = std::to_string(number);
        numbers.push_back(std::string(width > digits.size() ? width - digits.size() : 0, '0') +
                          digits);
      }
    } while (!at_end() && next() == ',');
    if (at_end() || next() != ']') {
      return refuse("the bracket is not closed", "]");
    }
    ++at();
    std::vector<std::string> longer;
    for (const std::string& host : hosts) {
      for (const std::string& number : numbers) {
        longer.push_back(host + number);
      }
    }
    hosts = std::move(longer);
    return true;
  }

  mapping::Lines line_;
  Fault& fault_;
};

}  // namespace

std::optional<std::vector<std::string>> parse_hosts(std::string_view list, Fault& fault) {
  std::vector<std::string> hosts;
  return Reader(list, fault).read(hosts) ? std::optional(std::move(hosts)) : std::nullopt;
}

}  // namespace nestbind::network
