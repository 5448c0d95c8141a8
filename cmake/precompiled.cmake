# SPDX-License-Identifier: BSD-3-Clause
# If NESTBIND_PRECOMPILE is on, large headers are compiled once for many sources. With Clang this
# saves a fifth of the compile time. GCC takes longer. A missing #include is an error only in builds
# without precompiled headers.

# name: a target for the precompiled headers. ARGN: the headers. Only targets with the same language options can use them.
function(nestbind_read_once name)
  if(NESTBIND_PRECOMPILE)
    file(CONFIGURE OUTPUT ${name}.cpp CONTENT "")
    add_library(${name} OBJECT ${CMAKE_CURRENT_BINARY_DIR}/${name}.cpp)
    target_link_libraries(${name} PRIVATE nestbind_options)
    target_precompile_headers(${name} PRIVATE ${ARGN})
  endif()
endfunction()

# The target uses the precompiled headers `name`.
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
