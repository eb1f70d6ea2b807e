# A unity build (presets "test", "sanitize" and "lint") compiles sources in batches, so that the large outside headers are
# read once per batch: less than half the work. Sources whose local names meet must stay apart; a new
# "redefinition" in such a build means that two sources of a room share a local name: rename one, or
# list one here.
# Tests and the program do no heavy work of their own: -O1 is a third less to compile.
if(CMAKE_UNITY_BUILD)
  set_target_properties(taut_scene_files PROPERTIES UNITY_BUILD OFF)
  if(TARGET taut_cli AND NOT TAUT_SANITIZE)
    target_compile_options(taut_cli PRIVATE -O1)
  endif()
  if(TARGET malformed_tests)
    set_source_files_properties(${PROJECT_SOURCE_DIR}/tests/io/test_cache.cpp
                                ${PROJECT_SOURCE_DIR}/tests/scene/test_malformed_scenes.cpp
                                ${PROJECT_SOURCE_DIR}/tests/scene/test_mesh_obstacles.cpp
                                TARGET_DIRECTORY malformed_tests PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  endif()
endif()
