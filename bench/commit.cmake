# Writes the header HEADER with the commit of the sources in SOURCE, and -dirty where they differ from it, at each build; the file
# only when that is another than it says, so that nothing is compiled for it otherwise. "unknown" without git or outside of a
# repository.
find_program(GIT git)
set(commit "")
if(GIT)
  execute_process(COMMAND ${GIT} -C ${SOURCE} describe --always --abbrev=12 --dirty --exclude=*
    OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif()
if(commit STREQUAL "")
  set(commit unknown)
endif()
set(text "/* Written at each build by bench/commit.cmake. */\n#define BENCH_COMMIT \"${commit}\"\n")
set(was "")
if(EXISTS ${HEADER})
  file(READ ${HEADER} was)
endif()
if(NOT was STREQUAL text)
  file(WRITE ${HEADER} "${text}")
endif()
