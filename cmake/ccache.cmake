# Compiled objects come from ccache, where it is installed: what one clone has compiled, another one need not, wherever it lies.
# For this ccache makes paths below the source relative to the build folder (its base_dir), and compilers see such paths:
# WARPWISE_SOURCE_AS_SEEN is the source's then. A launcher that the caller names is left as it is. WARPWISE_CCACHE_SKIP stands before
# an option of which ccache knows nothing; without it ccache 4.7 keeps nothing that is compiled with such a one.
find_program(WARPWISE_CCACHE_PROGRAM ccache)
if(WARPWISE_CCACHE AND WARPWISE_CCACHE_PROGRAM AND NOT CMAKE_C_COMPILER_LAUNCHER AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_C_COMPILER_LAUNCHER env CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} ${WARPWISE_CCACHE_PROGRAM})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_C_COMPILER_LAUNCHER})
  set(WARPWISE_CCACHE_SKIP --ccache-skip)
  file(RELATIVE_PATH WARPWISE_SOURCE_AS_SEEN ${PROJECT_BINARY_DIR} ${PROJECT_SOURCE_DIR})
  string(REGEX REPLACE "/$" "" WARPWISE_SOURCE_AS_SEEN "${WARPWISE_SOURCE_AS_SEEN}")
endif()
