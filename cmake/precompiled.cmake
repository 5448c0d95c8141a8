# SPDX-License-Identifier: BSD-3-Clause
# Headers that are compiled once for many sources, if NESTBIND_PRECOMPILE is on. With Clang this saves a fifth of the time, and a
# third with fmt and JSON; GCC takes longer. A missing include is then no error: builds without precompiled headers find it.

# name: of the precompiled headers; ARGN: the headers. For targets with the same language options.
function(nestbind_read_once name)
  if(NESTBIND_PRECOMPILE)
    file(CONFIGURE OUTPUT ${name}.cpp CONTENT "")
    add_library(${name} OBJECT ${CMAKE_CURRENT_BINARY_DIR}/${name}.cpp)
    target_link_libraries(${name} PRIVATE nestbind_options)
    target_precompile_headers(${name} PRIVATE ${ARGN})
  endif()
endfunction()

# A later name replaces an earlier one.
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
