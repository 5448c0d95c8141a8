// SPDX-License-Identifier: BSD-3-Clause
#include "slurm/library_file.hpp"

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>

#include "support/verdict_words.hpp"

using namespace nestbind::slurm;
namespace fs = std::filesystem;

namespace {

class Prefix {
 public:
  Prefix() {
    REQUIRE(mkdtemp(name_) != nullptr);
    fs::create_directories(lib() + "/nestbind");
    std::ofstream(plugin()) << "";
  }
  ~Prefix() { fs::remove_all(name_); }
  Prefix(const Prefix&) = delete;
  Prefix& operator=(const Prefix&) = delete;
  std::string lib() const { return std::string(name_) + "/lib"; }
  std::string plugin() const { return lib() + "/nestbind/libnestbind-slurm.so"; }

 private:
  char name_[32] = "/tmp/nestbind-slurm-XXXXXX";
};

}  // namespace

TEST_CASE("the library is found relative to the plugin, with links resolved") {
  const Prefix prefix;
  std::ofstream(prefix.lib() + "/libnestbind.so.0.1") << "";
  fs::create_symlink("libnestbind.so.0.1", prefix.lib() + "/libnestbind.so.0");
  CHECK(find_library("", prefix.plugin()).path == prefix.lib() + "/libnestbind.so.0.1");
  const std::string link = prefix.lib() + "/link.so";
  fs::create_symlink(prefix.plugin(), link);
  CHECK(find_library("", link).path == prefix.lib() + "/libnestbind.so.0.1");
}

TEST_CASE("a library that plugstack.conf names wins") {
  const Prefix prefix;
  std::ofstream(prefix.lib() + "/other.so") << "";
  CHECK(find_library(prefix.lib() + "/other.so", prefix.plugin()).path ==
        prefix.lib() + "/other.so");
  const LibraryFile missing = find_library("/no/such.so", prefix.plugin());
  CHECK(missing.path.empty());
  CHECK(missing.fault == "/no/such.so: no such library on this node");
}

TEST_CASE("a library that the loader cannot preload is refused") {
  const Prefix prefix;
  const LibraryFile none = find_library("", prefix.plugin());
  CHECK(none.path.empty());
  CHECK(none.fault == prefix.lib() + "/libnestbind.so: no such library on this node");
  const std::string blank = prefix.lib() + "/lib nestbind.so";
  std::ofstream(blank) << "";
  const LibraryFile refused = find_library(blank, prefix.plugin());
  CHECK(refused.path.empty());
  CHECK(refused.fault == blank + ": " + nestbind::support::kBlankInPath);
}
