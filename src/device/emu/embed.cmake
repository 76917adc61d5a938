# Writes the texts that the emulator gives to the compiler, and the object that it links with what comes of them, into a C++
# file, so that an installed emulator needs no source tree:
#   cmake -DFOLDER=… -DOBJECT=… -DOUTPUT=… -P embed.cmake
set(all "namespace emu {\nextern const char *const embedded[][2];\nconst char *const embedded[][2] = {\n")
foreach(name calls.h words.h accesses.h)
  file(READ ${FOLDER}/${name} text)
  string(APPEND all "{\"device/emu/${name}\",\n R\"ww_text(${text})ww_text\"},\n")
endforeach()
string(APPEND all "{nullptr, nullptr}};\n")
file(READ ${OBJECT} bytes HEX)
string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
string(APPEND all "extern const unsigned char accesses_object[];\nextern const unsigned long accesses_object_size;\n"
  "const unsigned char accesses_object[] = {${bytes}};\n"
  "const unsigned long accesses_object_size = sizeof accesses_object;\n}\n")
file(WRITE ${OUTPUT} "${all}")
