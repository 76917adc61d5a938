# What `cmake --install` puts where: the headers, both libraries, the command, and what pkg-config and find_package read.
# Nothing in it names the prefix, so that an installed tree may be moved as a whole.

set_target_properties(warpwise PROPERTIES EXPORT_NAME warpwise)
set_target_properties(warpwise_static PROPERTIES EXPORT_NAME static)
install(TARGETS warpwise warpwise_static EXPORT warpwise-targets
  RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR}
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(FILES include/warpwise.h include/warpwise.hpp DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(DIRECTORY include/warpwise DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h"
  PATTERN "group_mpi.h" EXCLUDE)
if(WARPWISE_MPIS)
  install(FILES include/warpwise/group_mpi.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/warpwise)
endif()

# ---- find_package(warpwise) ----
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/warpwise)
install(EXPORT warpwise-targets NAMESPACE warpwise:: DESTINATION ${package_dir})
configure_package_config_file(cmake/warpwise-config.cmake.in ${PROJECT_BINARY_DIR}/warpwise-config.cmake
  INSTALL_DESTINATION ${package_dir})
# Before 1.0 every minor version may change the interface.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/warpwise-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/warpwise-config.cmake ${PROJECT_BINARY_DIR}/warpwise-config-version.cmake
  DESTINATION ${package_dir})

# ---- pkg-config warpwise ----
# Folders are told from where the file itself lies, unless they were given as absolute paths.
if(IS_ABSOLUTE "${CMAKE_INSTALL_LIBDIR}")
  set(WARPWISE_PC_PREFIX ${CMAKE_INSTALL_PREFIX})
  set(WARPWISE_PC_LIBDIR ${CMAKE_INSTALL_LIBDIR})
else()
  file(RELATIVE_PATH to_prefix /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
  string(REGEX REPLACE "/$" "" to_prefix "${to_prefix}")
  set(WARPWISE_PC_PREFIX "\${pcfiledir}/${to_prefix}")
  set(WARPWISE_PC_LIBDIR "\${prefix}/${CMAKE_INSTALL_LIBDIR}")
endif()
if(IS_ABSOLUTE "${CMAKE_INSTALL_INCLUDEDIR}")
  set(WARPWISE_PC_INCLUDEDIR ${CMAKE_INSTALL_INCLUDEDIR})
else()
  set(WARPWISE_PC_INCLUDEDIR "\${prefix}/${CMAKE_INSTALL_INCLUDEDIR}")
endif()
# What a program that links the static library needs besides.
set(WARPWISE_PC_PRIVATE ${CMAKE_THREAD_LIBS_INIT})
if(NOT WARPWISE_PC_PRIVATE)
  set(WARPWISE_PC_PRIVATE -pthread)
endif()
set(WARPWISE_PC_PRIVATE "${WARPWISE_PC_PRIVATE} -lm")
configure_file(cmake/warpwise.pc.in ${PROJECT_BINARY_DIR}/warpwise.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/warpwise.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

# ---- papers ----
foreach(paper README.md CHANGELOG.md SECURITY.md LICENSE)
  if(EXISTS ${PROJECT_SOURCE_DIR}/${paper})
    install(FILES ${paper} DESTINATION ${CMAKE_INSTALL_DOCDIR})
  endif()
endforeach()
file(GLOB documents CONFIGURE_DEPENDS docs/*.md docs/*.svg)
install(FILES ${documents} DESTINATION ${CMAKE_INSTALL_DOCDIR}/docs)
file(GLOB programs CONFIGURE_DEPENDS examples/*.c)
install(FILES ${programs} DESTINATION ${CMAKE_INSTALL_DOCDIR}/examples)

# ---- the install test: installs into a folder of its own and builds programs against that ----
if(WARPWISE_TESTS)
  add_test(NAME install COMMAND ${CMAKE_COMMAND} -E env
    "CMAKE=${CMAKE_COMMAND}" "CC=${CMAKE_C_COMPILER}" "FLAGS=${CMAKE_C_FLAGS}" "TOOLCHAIN=${CMAKE_TOOLCHAIN_FILE}"
    "EMULATOR=${CMAKE_CROSSCOMPILING_EMULATOR}" "NM=${CMAKE_NM}" "READELF=${CMAKE_READELF}"
    "LAUNCHER=${CMAKE_C_COMPILER_LAUNCHER}" "LIBDIR=${CMAKE_INSTALL_LIBDIR}"
    sh ${PROJECT_SOURCE_DIR}/tests/install/run.sh ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR})
  set_tests_properties(install PROPERTIES TIMEOUT 1200 LABELS install COST 33)
endif()
