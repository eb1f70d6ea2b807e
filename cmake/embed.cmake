# Files built into a program: turns them into a C++ source that holds their bytes.
#
#   taut_embed(OUTPUT page.cpp FUNCTION taut::viewer::page_template FILE page.html)
#     defines  std::string_view taut::viewer::page_template()
#   taut_embed(OUTPUT scenes.cpp FUNCTION taut::cli::scene_files FILES a.json b.json)
#     defines  std::vector<std::pair<std::string_view, std::string_view>> taut::cli::scene_files()
#     with the file names (no folder) and texts, in the order given
#
# The source is made again whenever a file changes. The same file, run as a script, does the work.

if(NOT CMAKE_SCRIPT_MODE_FILE)
  set(TAUT_EMBED_SCRIPT ${CMAKE_CURRENT_LIST_FILE})

  function(taut_embed)
    cmake_parse_arguments(EMBED "" "OUTPUT;FUNCTION;FILE" "FILES" ${ARGN})
    set(kind list)
    if(EMBED_FILE)
      set(kind single)
    endif()
    # Paths travel joined by '|': a list would be cut apart on the command line.
    list(JOIN EMBED_FILES "|" joined)
    add_custom_command(
      OUTPUT ${EMBED_OUTPUT}
      COMMAND ${CMAKE_COMMAND} -DOUTPUT=${EMBED_OUTPUT} -DFUNCTION=${EMBED_FUNCTION} -DKIND=${kind}
              "-DFILES=${EMBED_FILE}${joined}" -P ${TAUT_EMBED_SCRIPT}
      DEPENDS ${EMBED_FILE} ${EMBED_FILES} ${TAUT_EMBED_SCRIPT}
      WORKING_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR}
      COMMENT "Embedding ${EMBED_FUNCTION}"
      VERBATIM)
  endfunction()
  return()
endif()

# Cut a::b::c into the namespace a::b and the name c.
string(REGEX REPLACE "^(.*)::([A-Za-z0-9_]+)$" "\\1" namespace "${FUNCTION}")
string(REGEX REPLACE "^(.*)::([A-Za-z0-9_]+)$" "\\2" name "${FUNCTION}")
string(REPLACE "|" ";" files "${FILES}")

# Write one array of bytes per file; the closing 0 lets an empty file be an array too.
set(text "// Made from files by cmake/embed.cmake.\n#include <string_view>\n#include <utility>\n#include <vector>\n\n")
string(APPEND text "namespace ${namespace} {\n\nnamespace {\n\n")
set(rows "")
set(number 0)
foreach(file IN LISTS files)
  file(READ ${file} hex HEX)
  string(LENGTH "${hex}" digits)
  math(EXPR size "${digits} / 2")
  string(REGEX REPLACE "(................................)" "\\1\n" hex "${hex}")
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," hex "${hex}")
  string(APPEND text "const unsigned char bytes_${number}[] = {\n${hex}0};\n\n")
  get_filename_component(short ${file} NAME)
  string(APPEND rows "        {\"${short}\", {reinterpret_cast<const char*>(bytes_${number}), ${size}}},\n")
  math(EXPR number "${number} + 1")
endforeach()
string(APPEND text "}  // namespace\n\n")

if(KIND STREQUAL single)
  string(APPEND text "std::string_view ${name}();\nstd::string_view ${name}() {\n"
                     "    return {reinterpret_cast<const char*>(bytes_0), ${size}};\n}\n")
else()
  set(type "std::vector<std::pair<std::string_view, std::string_view>>")
  string(APPEND text "${type} ${name}();\n${type} ${name}() {\n    return {\n${rows}    };\n}\n")
endif()
string(APPEND text "\n}  // namespace ${namespace}\n")
file(WRITE ${OUTPUT} "${text}")
