# The malformed-input tests are built apart, under sanitizers (preset "sanitize"). A build that is
# told where that other build lies lets its own ctest run those tests too, as one list.
set(TAUT_SANITIZED_BUILD "" CACHE PATH "Folder of a sanitized build whose malformed-input tests ctest runs as well")

if(TAUT_SANITIZED_BUILD)
  set(include_file ${PROJECT_BINARY_DIR}/sanitized_tests.cmake)
  file(WRITE ${include_file}.new "
set(folder \"${TAUT_SANITIZED_BUILD}/tests/malformed\")
if(EXISTS \"\${folder}/CTestTestfile.cmake\")
  subdirs(\"\${folder}\")
else()
  add_test(malformed_tests_NOT_BUILT malformed_tests_NOT_BUILT)
endif()
")
  file(COPY_FILE ${include_file}.new ${include_file} ONLY_IF_DIFFERENT)
  set_property(DIRECTORY ${PROJECT_SOURCE_DIR} APPEND PROPERTY TEST_INCLUDE_FILES ${include_file})
endif()
