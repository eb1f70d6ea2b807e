# A unity build (all presets but "debug") compiles sources in batches, so that the large outside headers are
# read once per batch: less than half the work. A "redefinition" in such a build means that
# two sources share a local name: rename one, or, in tests, give one a namespace of its own.
# Tests do no heavy work of their own, nor does the program they run: -O1 is a third less to compile.
if(CMAKE_UNITY_BUILD)
  set_target_properties(taut_scene_files PROPERTIES UNITY_BUILD OFF)
  if(TARGET taut_cli AND TAUT_BUILD_TESTS AND NOT TAUT_SANITIZE)
    target_compile_options(taut_cli PRIVATE -O1)
  endif()
endif()
