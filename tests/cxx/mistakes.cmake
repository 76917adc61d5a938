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
    "positions and counts are uint32_t or uint64_t" "yes or no is a uint8_t or a bool" "quantiles are doubles"
    "numbers that are counted are integers" "columns are numbers of up to 64 bits" "the value is not of the array's type"
    "keys are uint32_t or uint64_t" "a dictionary of keys alone takes no values" "keys are wanted" "deleted" "histogram_even" "nodiscard")
  string(FIND "${said}" "${sentence}" place)
  if(place EQUAL -1)
    string(APPEND missing "\n  ${sentence}")
  endif()
endforeach()
if(missing)
  message(FATAL_ERROR "the compiler did not say:${missing}\nbut:\n${said}")
endif()
