# SPDX-License-Identifier: BSD-3-Clause
# The entries of a list as functions, in C's spelling and in Fortran's.

# A parameter of the lists in C; in Fortran, if it is another: there all is by reference, and the length of
# a text comes behind the rest; and what is done before the call.
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

# The text of an entry's function in one language, appended to `text`.
function(nestbind_append_forwarder name language words)
  set(parameters)
  set(first)
  foreach(word IN LISTS words)
    if(NOT DEFINED c_${word})
      message(FATAL_ERROR "${name}: no parameter is called ${word}")
    endif()
    if(DEFINED ${language}_${word})
      list(APPEND parameters "${${language}_${word}}")
    else()
      list(APPEND parameters "${c_${word}}")
    endif()
    string(APPEND first "${first_${word}}")
  endforeach()
  list(JOIN parameters ", " parameters)
  # A parameter's name is the last word before a comma or the end.
  string(REGEX MATCHALL "[a-z_]+(, |$)" arguments "${parameters}")
  list(JOIN arguments "" arguments)
  string(APPEND text "\nNESTBIND_POMP void ${name}(${parameters}) {\n"
    "${first}  hand_on<\"${name}\">(${arguments});\n}\n")
  set(text "${text}" PARENT_SCOPE)
endfunction()

# Writes the functions of a list into `output`, when CMake runs; it runs again when the list has changed.
function(nestbind_write_forwarders list output)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${list})
  file(STRINGS ${list} entries REGEX "^[^#]")
  string(CONCAT text "// Made from ${list}.\n#include <stddef.h>\n#include <stdint.h>\n\n"
    "#include \"instrument/pomp/next.hpp\"\n\nusing namespace nestbind::pomp;\n")
  foreach(entry IN LISTS entries)
    separate_arguments(words UNIX_COMMAND "${entry}")
    list(POP_FRONT words name)
    nestbind_append_forwarder(${name} c "${words}")
    string(TOLOWER ${name} name)
    string(REPLACE "_for_" "_do_" name ${name})
    nestbind_append_forwarder(${name}_ fortran "${words}")
  endforeach()
  file(CONFIGURE OUTPUT ${output} CONTENT "${text}" @ONLY)
endfunction()
