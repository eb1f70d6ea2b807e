# A unity build (presets "test", "sanitize" and "lint") compiles sources in batches, so that the large outside headers are
# read once per batch: less than half the work. Sources whose local names meet must stay apart; a new
# "redefinition" in such a build means that two sources of a room share a local name: rename one, or
# list one here.
if(CMAKE_UNITY_BUILD)
  set_target_properties(taut_scene_files PROPERTIES UNITY_BUILD OFF)
  set(apart cache_header checkpoint checkpoint_bytes obj picture_light picture_solids)
  list(TRANSFORM apart REPLACE "(.+)" "${PROJECT_SOURCE_DIR}/src/taut/io/\\1.cpp")
  set_source_files_properties(${apart} TARGET_DIRECTORY taut PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  if(TARGET taut_cli)
    set_source_files_properties(${PROJECT_SOURCE_DIR}/apps/cli/check.cpp
                                ${PROJECT_SOURCE_DIR}/apps/cli/bench_table.cpp
                                TARGET_DIRECTORY taut_cli PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  endif()
  if(TARGET malformed_tests)
    set_source_files_properties(${PROJECT_SOURCE_DIR}/tests/io/test_cache.cpp
                                ${PROJECT_SOURCE_DIR}/tests/scene/test_malformed_scenes.cpp
                                ${PROJECT_SOURCE_DIR}/tests/scene/test_mesh_obstacles.cpp
                                TARGET_DIRECTORY malformed_tests PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  endif()
endif()
