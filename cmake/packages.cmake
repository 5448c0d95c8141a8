# SPDX-License-Identifier: BSD-3-Clause
# Debian packages by CPack: `cmake --build BUILD --target package`. packaging/nestbind.spec makes
# RPMs.
set(CPACK_PACKAGE_NAME nestbind)
set(CPACK_PACKAGE_VENDOR "the nestbind authors")
set(CPACK_PACKAGE_CONTACT "nestbind maintainers <nestbind@users.noreply.github.com>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "binds the threads of nested OpenMP teams to cores")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_PACKAGING_INSTALL_PREFIX ${CMAKE_INSTALL_PREFIX})
set(CPACK_STRIP_FILES ON)
set(CPACK_GENERATOR DEB)
set(CPACK_COMPONENTS_ALL nestbind development)
if(TARGET nestbind-slurm)
  list(APPEND CPACK_COMPONENTS_ALL slurm)
endif()
set(CPACK_COMPONENTS_GROUPING IGNORE)

set(CPACK_COMPONENT_NESTBIND_DESCRIPTION "The command, the library that it preloads, and the manual.
 Each thread of each OpenMP team is bound to a core, at every level of nesting.
 The program is not changed or recompiled.")
set(CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION "Headers, the CMake and pkg-config files, and the Fortran module's source.
 Needed to compile programs that call nestbind's functions.")
set(CPACK_COMPONENT_SLURM_DESCRIPTION "The plugin for Slurm's srun, sbatch and salloc.
 It works only with the release of Slurm for which it was built.")

# Debian's policy also requires a copyright file, a changelog and compressed manual pages.
set(CPACK_PRE_BUILD_SCRIPTS ${PROJECT_SOURCE_DIR}/cmake/packages_debian.cmake)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION utils)
set(CPACK_DEBIAN_NESTBIND_PACKAGE_NAME nestbind)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME nestbind-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_SLURM_PACKAGE_NAME nestbind-slurm)
foreach(part NESTBIND SLURM)
  set(CPACK_DEBIAN_${part}_PACKAGE_SHLIBDEPS ON)
endforeach()
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_NESTBIND_PACKAGE_CONTROL_EXTRA ${PROJECT_BINARY_DIR}/debian/triggers)
file(WRITE ${PROJECT_BINARY_DIR}/debian/triggers "activate-noawait ldconfig\n")
# The command loads libdw for source lines, and starts rsvg-convert for PNG files.
set(CPACK_DEBIAN_NESTBIND_PACKAGE_RECOMMENDS "libdw1, librsvg2-bin")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "nestbind (= ${PROJECT_VERSION})")
set(CPACK_DEBIAN_SLURM_PACKAGE_DEPENDS "nestbind (= ${PROJECT_VERSION})")
include(CPack)
