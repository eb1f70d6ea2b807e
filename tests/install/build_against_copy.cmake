# Expects BUILD, SOURCE, WORK, VERSION, PROGRAM and LAUNCHER; fails on the first thing that is wrong.
cmake_minimum_required(VERSION 3.25)

function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE status OUTPUT_VARIABLE text ERROR_VARIABLE text)
  if(NOT status EQUAL 0)
    list(JOIN ARGN " " command)
    message(FATAL_ERROR "${command}\nended with ${status}:\n${text}")
  endif()
  set(text "${text}" PARENT_SCOPE)
endfunction()

# Install, then move: nothing in the copy may remember where it was made.
set(copy ${WORK}/moved/prefix)
file(REMOVE_RECURSE ${WORK}/prefix ${WORK}/moved ${WORK}/examples ${WORK}/01_hello)
run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${WORK}/prefix)
file(MAKE_DIRECTORY ${WORK}/moved)
file(RENAME ${WORK}/prefix ${copy})

# Look for paths of this tree and machine flags in the package files.
file(GLOB_RECURSE package_files ${copy}/*.cmake)
if(NOT package_files)
  message(FATAL_ERROR "no CMake package was installed under ${copy}")
endif()
foreach(file ${package_files})
  file(READ ${file} text)
  foreach(leak "${SOURCE}" "${BUILD}" "-march" "-Wall" "fsanitize" "taut_settings")
    string(FIND "${text}" "${leak}" place)
    if(NOT place EQUAL -1)
      message(FATAL_ERROR "${file} leaks '${leak}' to users of the package")
    endif()
  endforeach()
endforeach()

# Build and run the examples: the first one as a project of its own, then all of them.
set(options -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_PREFIX_PATH=${copy}
            -DCMAKE_CXX_COMPILER_LAUNCHER=${LAUNCHER})
foreach(project examples/01_hello examples)
  get_filename_component(name ${project} NAME)
  run(${CMAKE_COMMAND} -S ${SOURCE}/${project} -B ${WORK}/${name} ${options})
  run(${CMAKE_COMMAND} --build ${WORK}/${name} --parallel 2)
endforeach()
run(${CMAKE_COMMAND} -E chdir ${WORK}/01_hello ./hello)
run(${CMAKE_CTEST_COMMAND} --test-dir ${WORK}/examples --output-on-failure --no-tests=error)
message("${text}")

# Ask the installed program who it is.
if(PROGRAM)
  run(${copy}/bin/taut --version)
  string(FIND "${text}" "${VERSION}" place)
  if(place EQUAL -1)
    message(FATAL_ERROR "taut --version says '${text}', not ${VERSION}")
  endif()
endif()
