# SPDX-License-Identifier: BSD-3-Clause
# Makes functions from a list of entries, in C's spelling and in Fortran's. A line of a list is
#   NAME-IN-C PARAMETER... [else RESULT FUNCTION]
#
# Each made function calls the function of the same name in the next library. If the next library has no such function, FUNCTION of the
# OpenMP runtime is called. If the line names no FUNCTION, nothing happens.

# c_WORD is the parameter WORD in C. If the parameter differs in Fortran, fortran_WORD is the parameter in Fortran. Fortran passes all
# parameters by reference. For a text, Fortran passes the length as the last parameter. first_WORD are statements before the call.
set(c_region "struct ompregdescr* region")
set(fortran_region "int* region")
set(c_handle "void** handle")
set(c_ctc "const char* ctc")
set(fortran_ctc "const char* ctc, size_t length")
set(c_condition "int condition")
set(fortran_condition "int* condition")
set(c_task "int64_t task")
set(fortran_task "int64_t* task")
set(c_new_task "int64_t* new_task")
set(first_new_task "  *new_task = 0;\n")
set(c_old_task "int64_t* old_task")
set(first_old_task "  *old_task = 0;\n")
set(c_lock "void* lock")

# `language` is c or fortran.
function(nestbind_append_forwarder language line)
  set(own)
  if(line MATCHES "^(.*) else (.*) (.*)$")
    set(line "${CMAKE_MATCH_1}")
    set(result ${CMAKE_MATCH_2})
    set(own ${CMAKE_MATCH_3})
  endif()
  separate_arguments(words UNIX_COMMAND "${line}")
  list(POP_FRONT words name)
  set(declared)
  set(first)
  foreach(word IN LISTS words)
    if(NOT DEFINED c_${word})
      message(FATAL_ERROR "${name}: no parameter is called ${word}")
    elseif(DEFINED ${language}_${word})
      list(APPEND declared "${${language}_${word}}")
    else()
      list(APPEND declared "${c_${word}}")
    endif()
    string(APPEND first "${first_${word}}")
  endforeach()
  list(JOIN declared ", " declared)
  # A parameter's name is the last word before a comma or before the end of the text.
  string(REGEX MATCHALL "[a-z_]+(, |$)" passed "${declared}")
  list(JOIN passed "" passed)
  if(language STREQUAL fortran)
    string(TOLOWER ${name}_ name)
    string(REPLACE "_for_" "_do_" name ${name})
  endif()
  if(NOT own)
    string(APPEND text "\nNESTBIND_INTERPOSE void ${name}(${declared}) {\n"
      "${first}  hand_on<\"${name}\">(${passed});\n}\n")
  else()
    if(language STREQUAL fortran)
      string(APPEND own _)
    endif()
    string(APPEND text "\nextern \"C\" ${result} ${own}(${declared});\n\n"
      "NESTBIND_INTERPOSE ${result} ${name}(${declared}) {\n"
      "  auto* next = next_function<\"${name}\", ${result}(${declared})>();\n"
      "  return next != nullptr ? next(${passed}) : ${own}(${passed});\n}\n")
  endif()
  set(text "${text}" PARENT_SCOPE)
endfunction()

# Writes the functions of a list into `output` when CMake runs.
function(nestbind_write_forwarders list output)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${list})
  file(STRINGS ${list} lines REGEX "^[^#]")
  string(CONCAT text "// Made from ${list}.\n#include <stddef.h>\n#include <stdint.h>\n\n"
    "#include \"instrument/pomp-library/next.hpp\"\n\nusing namespace nestbind::pomp;\n")
  foreach(line IN LISTS lines)
    nestbind_append_forwarder(c "${line}")
    nestbind_append_forwarder(fortran "${line}")
  endforeach()
  file(CONFIGURE OUTPUT ${output} CONTENT "${text}" @ONLY)
endfunction()
