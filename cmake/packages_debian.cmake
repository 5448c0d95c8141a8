# SPDX-License-Identifier: BSD-3-Clause
# CPack runs this for each generator, after the installation and before the packing.
if(NOT CPACK_GENERATOR STREQUAL DEB)
  return()
endif()
foreach(component nestbind development slurm)
  set(folder ${CPACK_TEMPORARY_DIRECTORY}/${component})
  if(NOT EXISTS ${folder})
    continue()
  endif()
  string(TOUPPER ${component} part)
  set(documents ${folder}${CPACK_PACKAGING_INSTALL_PREFIX}/share/doc/${CPACK_DEBIAN_${part}_PACKAGE_NAME})
  file(MAKE_DIRECTORY ${documents})
  configure_file(${CPACK_RESOURCE_FILE_LICENSE} ${documents}/copyright COPYONLY)
  string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC)  # SOURCE_DATE_EPOCH if it is set
  file(WRITE ${documents}/changelog "nestbind (${CPACK_PACKAGE_VERSION}) unstable; urgency=medium

  * What users notice is in CHANGELOG.md, beside the source.

 -- ${CPACK_PACKAGE_CONTACT}  ${date}\n")
  file(GLOB_RECURSE pages LIST_DIRECTORIES false ${folder}${CPACK_PACKAGING_INSTALL_PREFIX}/share/man/*)
  execute_process(COMMAND gzip -9n ${documents}/changelog ${pages} COMMAND_ERROR_IS_FATAL ANY)
endforeach()
