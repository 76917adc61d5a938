# Writes the texts that the emulator gives to the compiler into a C++ file, so that an installed emulator needs no source
# tree:  cmake -DFOLDER=… -DOUTPUT=… -P embed.cmake
set(all "namespace emu {\nextern const char *const embedded[][2];\nconst char *const embedded[][2] = {\n")
foreach(name calls.h words.h accesses.h)
  file(READ ${FOLDER}/${name} text)
  string(APPEND all "{\"device/emu/${name}\",\n R\"ww_text(${text})ww_text\"},\n")
endforeach()
string(APPEND all "{nullptr, nullptr}};\n}\n")
file(WRITE ${OUTPUT} "${all}")
