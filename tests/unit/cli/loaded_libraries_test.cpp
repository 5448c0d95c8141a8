// SPDX-License-Identifier: BSD-3-Clause
#include "cli/inspect/loaded_libraries.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <catch2/catch.hpp>

#include "library_file.hpp"
#include "tests/unit/helpers/folder.hpp"
#include "variable.hpp"

using namespace nestbind::cli::inspect;
using library_file::Library;
using Names = std::vector<std::string>;

namespace {

class Place {
 public:
  const std::string& path() const { return folder_.path(); }
  std::string library(const std::string& name, const Library& library) const {
    return folder_.file(name, library_file::bytes_of(library));
  }
  std::string folder(const std::string& name) const {
    mkdir((path() + "/" + name).c_str(), 0755);
    return path() + "/" + name;
  }
  const Folder& files() const { return folder_; }

  Listing list(Library program, const LoaderVariables& variables = {}) const {
    if (program.interpreter.empty()) {
      program.interpreter = read_elf("/proc/self/exe", SymbolTables::kDynamic, nullptr).interpreter;
    }
    const std::string file = library("program", program);
    return list_libraries(file, read_elf(file, SymbolTables::kDynamic, nullptr), variables);
  }

 private:
  Folder folder_;
};

Names names(const Listing& listing) {
  Names names;
  for (const LoadedLibrary& library : listing.libraries) {
    names.push_back(library.name);
  }
  return names;
}

const LoadedLibrary kNone;

const LoadedLibrary& only(const Listing& listing) {
  CHECK(listing.libraries.size() == 1);
  return listing.libraries.empty() ? kNone : listing.libraries[0];
}

}  // namespace

TEST_CASE("Libraries are listed breadth first, each library once", "[libraries]") {
  const Place place;
  place.library("liba.so", {{{DT_SONAME, "liba.so"}, {DT_NEEDED, "libc.so"}}, "", 0});
  place.library("libb.so", {{{DT_NEEDED, "liba.so"}, {DT_NEEDED, "libd.so"}}, "", 0});
  place.library("libc.so", {{{DT_NEEDED, "ld.so.1"}}, "", 0});
  place.library("libd.so", {});
  const std::string loader = place.library("ld.so", {{{DT_SONAME, "ld.so.1"}}, "", 0});
  const Listing listing =
      place.list({{{DT_NEEDED, "liba.so"}, {DT_NEEDED, "libb.so"}}, loader, 0}, {place.path(), ""});
  CHECK(listing.fault.empty());
  CHECK(names(listing) == Names{"liba.so", "libb.so", "libc.so", "libd.so", loader});
}

TEST_CASE("One file under several names is loaded once", "[libraries]") {
  const Place place;
  const std::string file = place.library("liba.so", {{{DT_SONAME, "libsoname.so"}}, "", 0});
  REQUIRE(symlink(file.c_str(), (place.path() + "/liblink.so").c_str()) == 0);
  const Listing listing = place.list(
      {{{DT_NEEDED, "liba.so"}, {DT_NEEDED, "liblink.so"}, {DT_NEEDED, "libsoname.so"}}, "", 0},
      {place.path(), ""});
  CHECK(only(listing).path == place.path() + "/liba.so");
}

TEST_CASE("The places of a search are tried in the loader's order", "[libraries]") {
  const Place place;
  const Names folders = {place.folder("rpath"), place.folder("variable"), place.folder("runpath"),
                         place.folder("default_lib")};
  const std::string loader = place.library("default_lib/ld.so", {});
  for (const std::string& folder : folders) {
    place.files().file(folder.substr(place.path().size() + 1) + "/liba.so",
                       library_file::bytes_of({}));
  }
  const auto found = [&](Library program, const std::string& variable = "") {
    program.texts.emplace_back(DT_NEEDED, "liba.so");
    program.interpreter = loader;
    const std::string path = only(place.list(program, {variable, ""})).path;
    return path.substr(0, path.rfind('/'));
  };
  CHECK(found({{{DT_RPATH, folders[0]}}, "", 0}, folders[1]) == folders[0]);
  CHECK(found({{{DT_RPATH, folders[0]}, {DT_RUNPATH, folders[2]}}, "", 0}, folders[1]) ==
        folders[1]);
  CHECK(found({{{DT_RPATH, folders[0]}, {DT_RUNPATH, folders[2]}}, "", 0}) == folders[2]);
  CHECK(found({{{DT_RPATH, folders[0]}, {DT_RUNPATH, ""}}, "", 0}) == folders[3]);
  CHECK(found({{{DT_RUNPATH, "$ORIGIN/nosuch:$ORIGIN/rpath"}}, "", 0}) == folders[0]);
  CHECK(found({}) == folders[3]);
}

TEST_CASE("DT_RPATH also applies to libraries of libraries, DT_RUNPATH does not", "[libraries]") {
  const Place place;
  const std::string folder = place.folder("own");
  place.files().file("own/libb.so", library_file::bytes_of({}));
  const std::string liba = place.library("liba.so", {{{DT_NEEDED, "libb.so"}}, "", 0});
  const auto path_of_b = [&](std::int64_t tag) {
    const Listing listing = place.list({{{tag, folder}, {DT_NEEDED, liba}}, "", 0});
    REQUIRE(listing.libraries.size() == 2);
    return listing.libraries[1].path;
  };
  CHECK(path_of_b(DT_RPATH) == folder + "/libb.so");
  CHECK(path_of_b(DT_RUNPATH).empty());
  // A DT_RUNPATH hides the DT_RPATH of other files.
  place.library("liba.so", {{{DT_RUNPATH, "/nosuch"}, {DT_NEEDED, "libb.so"}}, "", 0});
  CHECK(path_of_b(DT_RPATH).empty());
}

TEST_CASE("Preloaded libraries come first, and may be missing", "[libraries]") {
  const Place place;
  place.library("liba.so", {});
  const std::string preload = place.library("libp.so", {{{DT_NEEDED, "liba.so"}}, "", 0});
  place.files().file("text.so", "text");
  const Listing listing =
      place.list({{{DT_NEEDED, "liba.so"}, {DT_NEEDED, "libgone.so"}}, "", 0},
                 {place.path(), "/nosuch.so " + preload + ":" + place.path() + "/text.so"});
  CHECK(listing.fault.empty());
  CHECK(names(listing) == Names{preload, "liba.so", "libgone.so"});
  CHECK(listing.libraries[2].path.empty());
}

TEST_CASE("The loader skips a library of another machine and stops at a damaged library",
          "[libraries]") {
  const Place place;
  const std::string first = place.folder("first");
  place.library("liba.so", {});
  std::string foreign = library_file::bytes_of({});
  foreign[EI_CLASS] = ELFCLASS32;
  place.files().file("first/liba.so", foreign);
  const Library program{{{DT_NEEDED, "liba.so"}}, "", 0};
  const LoaderVariables both{first + ":" + place.path(), ""};
  CHECK(only(place.list(program, both)).path == place.path() + "/liba.so");
  place.files().file("first/liba.so", "short");
  const Listing listing = place.list(program, both);
  CHECK(listing.fault == first + "/liba.so: invalid ELF header");
}

TEST_CASE("Pipes, devices and folders are not opened", "[libraries]") {
  const Place place;
  const std::string pipe = place.path() + "/libpipe.so";
  REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
  for (const std::string& name : {pipe, std::string("/dev/zero")}) {
    CHECK(place.list({{{DT_NEEDED, name}}, "", 0}).fault == name + ": Not a regular file");
  }
  CHECK(place.list({{{DT_NEEDED, "libpipe.so"}}, "", 0}, {place.path(), ""}).fault ==
        pipe + ": Not a regular file");
  CHECK(place.list({{{DT_NEEDED, "/"}}, "", 0}).fault == "/: Is a directory");
}

TEST_CASE("A missing loader is reported", "[libraries]") {
  const Folder folder;
  Library program;
  program.interpreter = "/no/such/ld.so";
  const std::string file = folder.file("program", library_file::bytes_of(program));
  const Listing listing = list_libraries(file, read_elf(file, SymbolTables::kDynamic, nullptr), {});
  CHECK(listing.fault == "its loader /no/such/ld.so: No such file or directory");
}

TEST_CASE("The search folders of another loader are not known", "[libraries]") {
  const Place place;
  const std::string loader = place.library("ld.so", {});
  place.library("libbeside.so", {});
  CHECK(only(place.list({{{DT_NEEDED, "libbeside.so"}}, loader, 0})).path ==
        place.path() + "/libbeside.so");
  const std::string fault = place.list({{{DT_NEEDED, "libelsewhere.so"}}, loader, 0}).fault;
  CHECK(fault.find("libelsewhere.so") != std::string::npos);
  CHECK(fault.find(loader) != std::string::npos);
}

TEST_CASE("More than 1000 libraries are reported as too many", "[libraries]") {
  const Place place;
  Library program;
  for (int i = 0; i < 1001; ++i) {
    const std::string name = "lib" + std::to_string(i) + ".so";
    place.library(name, {});
    program.texts.emplace_back(DT_NEEDED, name);
  }
  Listing listing = place.list(program, {place.path(), ""});
  CHECK(listing.fault == "there are more than 1000 of them");
  for (int i = 0; i < 100; ++i) {
    program.texts.emplace_back(DT_NEEDED, "libtoo.so");
  }
  listing = place.list(program, {place.path(), ""});
  CHECK(listing.fault.find("needed libraries after the first 1024") != std::string::npos);
}

TEST_CASE("A search for a thousand names in a thousand folders ends", "[libraries]") {
  const Place place;
  std::string folders;
  Library program;
  for (int i = 0; i < 1000; ++i) {
    folders += (i == 0 ? "/x/" : ":/x/") + std::to_string(i);
    program.texts.emplace_back(DT_NEEDED, "lib" + std::to_string(i) + ".so");
  }
  program.texts.emplace_back(DT_RUNPATH, folders);
  const Listing listing = place.list(program);
  CHECK(listing.libraries.size() <= 1000);
}

TEST_CASE("The file that dlopen would load is found", "[libraries]") {
  CHECK(find_library_file("libc.so.6").find("libc.so.6") != std::string::npos);
  CHECK(find_library_file("libnosuch.so.1").empty());
  const Place place;
  place.library("libown.so", {});
  const Variable variable("LD_LIBRARY_PATH", place.path());
  CHECK(find_library_file("libown.so") == place.path() + "/libown.so");
}
