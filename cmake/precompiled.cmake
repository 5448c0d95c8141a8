# SPDX-License-Identifier: BSD-3-Clause
# Headers that are read once for many sources, where NESTBIND_PRECOMPILE is on: Clang takes a fifth of the time less so, and a third
# where fmt and JSON are among them; GCC takes longer. What is read so need not be included: builds without it tell that.

# name: of what is read; ARGN: headers. For what is compiled with the same options of the language.
function(nestbind_read_once name)
  if(NESTBIND_PRECOMPILE)
    file(CONFIGURE OUTPUT ${name}.cpp CONTENT "")
    add_library(${name} OBJECT ${CMAKE_CURRENT_BINARY_DIR}/${name}.cpp)
    target_link_libraries(${name} PRIVATE nestbind_options)
    target_precompile_headers(${name} PRIVATE ${ARGN})
  endif()
endfunction()

# The latest name counts.
function(nestbind_has_read target name)
  if(NESTBIND_PRECOMPILE)
    set_target_properties(${target} PROPERTIES PRECOMPILE_HEADERS_REUSE_FROM ${name})
    add_dependencies(${target} ${name})
  endif()
endfunction()

nestbind_read_once(nestbind_lists
  <algorithm> <array> <cstdint> <functional> <map> <memory> <optional> <span> <string> <string_view> <utility> <vector>)
set(NESTBIND_OF_TEXTS <algorithm> <cstdint> <filesystem> <fstream> <functional> <map> <memory> <optional> <set> <span> <string>
  <string_view> <utility> <vector> <fmt/core.h> <fmt/format.h> <nlohmann/json.hpp>)
if(NESTBIND_PRECOMPILE AND NESTBIND_BUILD_CLI)
  nestbind_read_once(nestbind_texts ${NESTBIND_OF_TEXTS})
  target_link_libraries(nestbind_texts PRIVATE nestbind_command_options nestbind_fmt nlohmann_json::nlohmann_json)
endif()
