# Writes taut_commit.hpp with the commit of the source tree; run by every build, rewrites only on change.
# Expects SOURCE_DIR, VERSION and OUTPUT.
set(commit "")
find_program(GIT_PROGRAM git)
if(GIT_PROGRAM)
  execute_process(
    COMMAND ${GIT_PROGRAM} -C ${SOURCE_DIR} describe --always --dirty --exclude=*
    OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif()
set(text "#define TAUT_VERSION \"${VERSION}\"\n#define TAUT_COMMIT \"${commit}\"\n")
set(old "")
if(EXISTS ${OUTPUT})
  file(READ ${OUTPUT} old)
endif()
if(NOT "${old}" STREQUAL "${text}")
  file(WRITE ${OUTPUT} "${text}")
endif()
