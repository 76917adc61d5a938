# The emulator, a shared object of its own that the library opens when it is asked for: build/libwarpwise-emu.so. It needs a
# C++ compiler and Boost.Context; without them everything else is built all the same.
option(WARPWISE_EMULATOR "build the emulator" ON)
# (Asking for C++ while cross-compiling would find this machine's compiler, and its libraries from then on.)
if(WARPWISE_EMULATOR AND NOT CMAKE_CROSSCOMPILING)
  include(CheckLanguage)
  check_language(CXX)
endif()
if(WARPWISE_EMULATOR AND CMAKE_CXX_COMPILER AND NOT CMAKE_CROSSCOMPILING)
  enable_language(CXX)
  find_library(BOOST_CONTEXT_LIBRARY boost_context)
  find_path(BOOST_CONTEXT_INCLUDE boost/context/detail/fcontext.hpp)
endif()

if(NOT WARPWISE_EMULATOR)
  message(STATUS "The emulator is left out: WARPWISE_EMULATOR is OFF")
elseif(CMAKE_CROSSCOMPILING)
  message(STATUS "The emulator is left out: it compiles on the machine that it runs on")
elseif(NOT CMAKE_CXX_COMPILER)
  message(STATUS "The emulator is left out: there is no C++ compiler")
elseif(NOT BOOST_CONTEXT_LIBRARY OR NOT BOOST_CONTEXT_INCLUDE)
  message(STATUS "The emulator is left out: Boost.Context was not found (libboost-context-dev)")
else()
  set(emulator_folder ${PROJECT_SOURCE_DIR}/src/device/emu)
  set(emulator_texts ${PROJECT_BINARY_DIR}/emulator_texts.cpp)
  # A part of each program that it compiles; never code that a linker alone can read.
  add_library(warpwise_emu_program OBJECT ${emulator_folder}/program/accesses.cpp)
  set_target_properties(warpwise_emu_program PROPERTIES POSITION_INDEPENDENT_CODE ON CXX_STANDARD 17
    CXX_VISIBILITY_PRESET hidden INTERPROCEDURAL_OPTIMIZATION OFF)
  target_include_directories(warpwise_emu_program PRIVATE ${PROJECT_SOURCE_DIR}/src)
  target_compile_options(warpwise_emu_program PRIVATE -fno-sanitize=all -fno-lto -fno-exceptions -fno-stack-protector)
  add_custom_command(OUTPUT ${emulator_texts}
    COMMAND ${CMAKE_COMMAND} -DFOLDER=${emulator_folder} -DOBJECT=$<TARGET_OBJECTS:warpwise_emu_program>
      -DOUTPUT=${emulator_texts} -P ${emulator_folder}/embed.cmake
    DEPENDS ${emulator_folder}/embed.cmake ${emulator_folder}/calls.h ${emulator_folder}/words.h
      ${emulator_folder}/accesses.h warpwise_emu_program $<TARGET_OBJECTS:warpwise_emu_program> VERBATIM)
  file(GLOB emulator_sources CONFIGURE_DEPENDS ${emulator_folder}/*.cpp)
  add_library(warpwise_emu SHARED ${emulator_sources} ${emulator_texts} ${PROJECT_SOURCE_DIR}/src/device/digest.c)
  set_target_properties(warpwise_emu PROPERTIES OUTPUT_NAME warpwise-emu CXX_STANDARD 17 CXX_STANDARD_REQUIRED ON
    CXX_EXTENSIONS OFF CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
  target_include_directories(warpwise_emu PRIVATE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src)
  target_include_directories(warpwise_emu SYSTEM PRIVATE ${BOOST_CONTEXT_INCLUDE} ${PROJECT_SOURCE_DIR}/third_party)
  # It changes stacks and looks at what kernels do: it must not be looked at by the same sanitizer itself.
  target_compile_options(warpwise_emu PRIVATE -fno-sanitize=all)
  target_link_libraries(warpwise_emu PRIVATE ${BOOST_CONTEXT_LIBRARY} Threads::Threads ${CMAKE_DL_LIBS})
  target_link_options(warpwise_emu PRIVATE -Wl,--version-script=${emulator_folder}/emulator.map)
  set_target_properties(warpwise_emu PROPERTIES LINK_DEPENDS ${emulator_folder}/emulator.map)
  # The library takes no file that others may write to, whatever the umask here.
  add_custom_command(TARGET warpwise_emu POST_BUILD COMMAND chmod go-w $<TARGET_FILE:warpwise_emu>)
  install(TARGETS warpwise_emu LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
endif()
