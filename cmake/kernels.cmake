# Writes OUT, C text that holds every .cu and .cuh file below SOURCE: cmake -DSOURCE=src -DOUT=kernels.c -P kernels.cmake
# Arrays of numbers, because a C compiler need not take strings as long as these.
file(GLOB_RECURSE files RELATIVE ${SOURCE} ${SOURCE}/*.cuh ${SOURCE}/*.cu)
list(SORT files)
set(texts "")
set(table "")
set(number 0)
foreach(name ${files})
  file(READ ${SOURCE}/${name} content HEX)
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," content "${content}")
  string(REGEX REPLACE "(0x0a,)" "\\1\n" content "${content}")
  string(APPEND texts "static const char text${number}[] = {\n${content}0};\n")
  string(APPEND table "    {\"${name}\", text${number}},\n")
  math(EXPR number "${number} + 1")
endforeach()
if(number GREATER 256) # HEADERS of src/device/cuda/compiler.c
  message(FATAL_ERROR "there are ${number} files of kernel text, and src/device/cuda/compiler.c takes 256")
endif()
file(WRITE ${OUT} "/* Made by cmake/kernels.cmake from the kernel text in src/. */
#include \"device/gpu/kernels.h\"

${texts}
const ww__header ww__kernel_headers[] = {
${table}    {0, 0},
};
")
