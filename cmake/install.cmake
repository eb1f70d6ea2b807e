# The installed copy: static library, headers, scenes, and a relocatable CMake package, so that
# another project writes find_package(taut) and links taut::taut. The program installs itself.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/taut)

# Eigen aligns and allocates by the machine flags it is compiled with. A library built for this
# machine tells its users which rule it follows, so that both sides agree without the flags.
if(TAUT_NATIVE)
  include(CheckCXXSourceCompiles)
  set(CMAKE_REQUIRED_FLAGS -march=native)
  check_cxx_source_compiles("#ifndef __AVX512F__\n#error\n#endif\nint main() {}" TAUT_NATIVE_AVX512)
  check_cxx_source_compiles("#ifndef __AVX__\n#error\n#endif\nint main() {}" TAUT_NATIVE_AVX)
  unset(CMAKE_REQUIRED_FLAGS)
  set(eigen_align "")
  if(TAUT_NATIVE_AVX512)
    set(eigen_align 64)
  elseif(TAUT_NATIVE_AVX)
    set(eigen_align 32)
  endif()
  if(eigen_align)
    target_compile_definitions(taut INTERFACE $<INSTALL_INTERFACE:EIGEN_MAX_ALIGN_BYTES=${eigen_align}>
                                              $<INSTALL_INTERFACE:EIGEN_MALLOC_ALREADY_ALIGNED=0>)
  endif()
endif()

install(TARGETS taut EXPORT taut_targets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/src/taut DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
        FILES_MATCHING PATTERN "*.hpp")
install(EXPORT taut_targets NAMESPACE taut:: FILE taut-targets.cmake DESTINATION ${package_dir})

configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/taut-config.cmake.in
                              ${PROJECT_BINARY_DIR}/taut-config.cmake INSTALL_DESTINATION ${package_dir}
                              PATH_VARS CMAKE_INSTALL_DATADIR)
# Before version 1 a minor version may break sources, so only the same one is taken.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/taut-config-version.cmake
                                 COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/taut-config.cmake ${PROJECT_BINARY_DIR}/taut-config-version.cmake
        DESTINATION ${package_dir})

install(DIRECTORY ${PROJECT_SOURCE_DIR}/scenes DESTINATION ${CMAKE_INSTALL_DATADIR}/taut OPTIONAL)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
