# libwarpwise-mpi, a library apart for each implementation of MPI that is here (include/warpwise/group_mpi.h): build/
# libwarpwise-mpi-openmpi.so and -mpich.so. Debian has both beside each other, as mpicc.openmpi and mpicc.mpich; elsewhere mpicc
# says which one it is. Their compilers are wrappers around this build's own one. Nothing else of the project needs MPI.
option(WARPWISE_MPI "build libwarpwise-mpi for every MPI that is here" ON)
set(WARPWISE_MPIS "")
if(WARPWISE_MPI AND NOT CMAKE_CROSSCOMPILING)
  foreach(implementation openmpi mpich)
    find_program(WARPWISE_MPICC_${implementation} mpicc.${implementation})
    find_program(WARPWISE_MPIRUN_${implementation} NAMES mpirun.${implementation} mpiexec.${implementation})
  endforeach()
  find_program(WARPWISE_MPICC mpicc)
  find_program(WARPWISE_MPIRUN NAMES mpirun mpiexec)
  if(WARPWISE_MPICC AND NOT WARPWISE_MPICC_openmpi AND NOT WARPWISE_MPICC_mpich)
    execute_process(COMMAND ${WARPWISE_MPICC} --showme:version OUTPUT_QUIET ERROR_QUIET RESULT_VARIABLE not_openmpi)
    set(only openmpi)
    if(not_openmpi)
      set(only mpich)
    endif()
    set(WARPWISE_MPICC_${only} ${WARPWISE_MPICC})
    set(WARPWISE_MPIRUN_${only} ${WARPWISE_MPIRUN})
  endif()
  foreach(implementation openmpi mpich)
    if(WARPWISE_MPICC_${implementation})
      list(APPEND WARPWISE_MPIS ${implementation})
    endif()
  endforeach()
endif()
if(NOT WARPWISE_MPIS)
  message(STATUS "libwarpwise-mpi is left out: no mpicc was found")
endif()

set(mpi_environment ${CMAKE_COMMAND} -E env OMPI_CC=${CMAKE_C_COMPILER} MPICH_CC=${CMAKE_C_COMPILER})
# MPICH says that no statuses are wanted by an address at which gcc misses them.
set(mpi_flags -std=c11 -D_GNU_SOURCE -O2 -Wall -Wextra -Wpedantic -Wconversion -Wno-stringop-overflow
  -Wno-unknown-warning-option -I${PROJECT_SOURCE_DIR}/include)
if(WARPWISE_WERROR)
  list(APPEND mpi_flags -Werror)
endif()
foreach(implementation ${WARPWISE_MPIS})
  set(mpi_library ${PROJECT_BINARY_DIR}/libwarpwise-mpi-${implementation}.so)
  add_custom_command(OUTPUT ${mpi_library}
    COMMAND ${mpi_environment} ${WARPWISE_MPICC_${implementation}} ${mpi_flags} -fPIC -fvisibility=hidden -shared
      -Wl,-soname,libwarpwise-mpi-${implementation}.so -o ${mpi_library} ${PROJECT_SOURCE_DIR}/src/group/mpi/engine_mpi.c
    DEPENDS ${PROJECT_SOURCE_DIR}/src/group/mpi/engine_mpi.c ${PROJECT_SOURCE_DIR}/include/warpwise/group_mpi.h
      ${PROJECT_SOURCE_DIR}/include/warpwise/group.h
    VERBATIM)
  add_custom_target(warpwise_mpi_${implementation} ALL DEPENDS ${mpi_library})
  install(FILES ${mpi_library} DESTINATION ${CMAKE_INSTALL_LIBDIR})
endforeach()
