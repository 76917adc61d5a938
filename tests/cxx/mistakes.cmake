# Compiles mistakes.cpp, which must not compile: cmake -DCOMPILER=c++ -DSOURCE=… -DINCLUDE=… -P mistakes.cmake
execute_process(COMMAND ${COMPILER} -std=c++17 -I${INCLUDE} -fsyntax-only -Wall -ferror-limit=0 ${SOURCE}
  RESULT_VARIABLE status ERROR_VARIABLE said OUTPUT_QUIET)
if(said MATCHES "unrecognized command|unrecognized option")
  execute_process(COMMAND ${COMPILER} -std=c++17 -I${INCLUDE} -fsyntax-only -Wall ${SOURCE}
    RESULT_VARIABLE status ERROR_VARIABLE said OUTPUT_QUIET)
endif()
if(status EQUAL 0)
  message(FATAL_ERROR "mistakes.cpp compiles")
endif()
set(missing "")
foreach(sentence "the function's types are not those of the arrays" "elements of these two arrays are of different types"
    "this is written, and cannot be const" "elements are numbers or WW_STRUCTs" "a function is ww_typed"
    "positions and counts are uint32_t or uint64_t" "deleted" "histogram_even" "nodiscard")
  string(FIND "${said}" "${sentence}" place)
  if(place EQUAL -1)
    string(APPEND missing "\n  ${sentence}")
  endif()
endforeach()
if(missing)
  message(FATAL_ERROR "the compiler did not say:${missing}\nbut:\n${said}")
endif()
