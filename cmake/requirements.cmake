# SPDX-License-Identifier: BSD-3-Clause
# The requirements of a build.
set(missing)
set(packages)
macro(nestbind_requires is_found what package)
  if(NOT ${is_found})
    list(APPEND missing "${what}")
    list(APPEND packages ${package})
  endif()
endmacro()

find_package(PkgConfig QUIET)
nestbind_requires(PKG_CONFIG_FOUND "pkg-config" pkg-config)
if(PKG_CONFIG_FOUND)
  pkg_check_modules(HWLOC IMPORTED_TARGET GLOBAL hwloc>=2.5)
endif()
# CMake finds hwloc only by pkg-config.
nestbind_requires(HWLOC_FOUND "hwloc 2.5 or newer" libhwloc-dev)
if(NESTBIND_BUILD_CLI)
  # Without ncurses `nestbind top` has no screen.
  if(PKG_CONFIG_FOUND)
    pkg_check_modules(NCURSES IMPORTED_TARGET GLOBAL ncursesw)
  endif()
  if(NOT NCURSES_FOUND)
    message(STATUS "ncursesw not found (Debian: libncurses-dev): `nestbind top` has no screen, only --once and --json")
  endif()
  find_package(CLI11 QUIET GLOBAL)
  nestbind_requires(CLI11_FOUND "CLI11" libcli11-dev)
  find_package(fmt QUIET GLOBAL)
  nestbind_requires(fmt_FOUND "fmt" libfmt-dev)
  find_package(nlohmann_json QUIET GLOBAL)
  nestbind_requires(nlohmann_json_FOUND "nlohmann-json" nlohmann-json3-dev)
  # Optional: without libdw `nestbind lines` cannot show source lines.
  find_path(NESTBIND_LIBDW_INCLUDE elfutils/libdwfl.h DOC "Where elfutils' headers are, for nestbind lines")
  find_path(NESTBIND_SCOTCH_INCLUDE scotch.h PATH_SUFFIXES scotch DOC "Where SCOTCH's header is, for nestbind map and balance")
  find_library(NESTBIND_SCOTCH_LIBRARY scotch DOC "SCOTCH, for nestbind map and balance")
  find_library(NESTBIND_SCOTCHERR_LIBRARY scotcherr DOC "SCOTCH's library for error messages, for nestbind map and balance")
  if(NOT NESTBIND_SCOTCH_INCLUDE OR NOT NESTBIND_SCOTCH_LIBRARY OR NOT NESTBIND_SCOTCHERR_LIBRARY)
    message(STATUS "SCOTCH not found (Debian: libscotch-dev): `nestbind map` maps by its own method only, and `nestbind balance` has no --algorithm scotch")
  endif()
endif()
# Optional: the plugin for srun, sbatch and salloc. It works only with the release of Slurm that has these headers.
find_path(NESTBIND_SLURM_INCLUDE slurm/spank.h DOC "Where Slurm's headers are, for the plugin")
if(NOT NESTBIND_SLURM_INCLUDE)
  message(STATUS "slurm/spank.h not found (Debian: libslurm-dev): no plugin for Slurm")
endif()
if(NESTBIND_BUILD_TESTS OR NESTBIND_UNIT_TESTS_ONLY)
  find_package(Catch2 QUIET GLOBAL)  # 2 or 3
  nestbind_requires(Catch2_FOUND "Catch2 (for the tests only: -DNESTBIND_BUILD_TESTS=OFF leaves them out)" catch2)
endif()

if(missing)
  list(JOIN missing ", " missing)
  list(JOIN packages " " packages)
  message(FATAL_ERROR "Not found: ${missing}.\nOn Debian and Ubuntu: apt install ${packages}")
endif()
unset(missing)
unset(packages)

# fmt's functions are compiled once for all files, if this version of fmt allows that.
if(NESTBIND_BUILD_CLI)
  # fmt is compiled without locales, because the command would have to set them up at each start.
  set(fmt_definitions FMT_STATIC_THOUSANDS_SEPARATOR=',')
  get_target_property(fmt_include fmt::fmt-header-only INTERFACE_INCLUDE_DIRECTORIES)
  try_compile(NESTBIND_FMT_ONCE ${PROJECT_BINARY_DIR}/fmt-once
    SOURCES ${PROJECT_SOURCE_DIR}/cmake/fmt/functions.cpp ${PROJECT_SOURCE_DIR}/cmake/fmt/use.cpp
    CMAKE_FLAGS "-DINCLUDE_DIRECTORIES=${fmt_include}" COMPILE_DEFINITIONS "-D${fmt_definitions}"
    CXX_STANDARD 20 CXX_STANDARD_REQUIRED ON)
  if(NESTBIND_FMT_ONCE)
    add_library(nestbind_fmt STATIC ${PROJECT_SOURCE_DIR}/cmake/fmt/functions.cpp)
    target_include_directories(nestbind_fmt SYSTEM PUBLIC ${fmt_include})
    target_compile_definitions(nestbind_fmt PUBLIC ${fmt_definitions})
  else()
    add_library(nestbind_fmt INTERFACE)
    target_link_libraries(nestbind_fmt INTERFACE fmt::fmt-header-only)
    target_compile_definitions(nestbind_fmt INTERFACE ${fmt_definitions})
  endif()
endif()
