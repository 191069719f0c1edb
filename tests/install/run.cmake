# Installs the build to a fresh prefix, moves that prefix (a package must not know where it was built), then
# configures, builds and runs the consumer against it; last, two wrong requests must be refused.

set(prefix ${WORK_DIR}/moved)
file(REMOVE_RECURSE ${WORK_DIR}/prefix ${prefix} ${WORK_DIR}/consumer ${WORK_DIR}/refused)

function(run what)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "${what} failed (${status}):\n${output}")
  endif()
  message(STATUS "${what}: ok")
endfunction()

set(configure ${CMAKE_COMMAND} -S ${SOURCE_DIR} -G ${GENERATOR} -D CMAKE_CXX_COMPILER=${CXX} -D
              "CMAKE_CXX_FLAGS=${CXX_FLAGS}" -D CMAKE_CXX_COMPILER_LAUNCHER=${LAUNCHER} -D CMAKE_BUILD_TYPE=${CONFIG}
              -D CMAKE_PREFIX_PATH=${prefix})

run("install" ${CMAKE_COMMAND} --install ${BUILD_DIR} --config ${CONFIG} --prefix ${WORK_DIR}/prefix)
file(RENAME ${WORK_DIR}/prefix ${prefix})
run("configure the consumer" ${configure} -B ${WORK_DIR}/consumer -D WANTED_VERSION=${VERSION})
run("build the consumer" ${CMAKE_COMMAND} --build ${WORK_DIR}/consumer --config ${CONFIG})
run("run the consumer" ${WORK_DIR}/consumer/consumer ${VERSION})

function(expect_refusal what pattern)
  file(REMOVE_RECURSE ${WORK_DIR}/refused)
  execute_process(
    COMMAND ${configure} -B ${WORK_DIR}/refused ${ARGN}
    RESULT_VARIABLE status
    OUTPUT_VARIABLE output
    ERROR_VARIABLE output)
  string(REGEX REPLACE "[ \n]+" " " output "${output}")
  if(status EQUAL 0 OR NOT output MATCHES "${pattern}")
    message(FATAL_ERROR "${what} was not refused with \"${pattern}\" (${status}):\n${output}")
  endif()
  message(STATUS "${what}: refused")
endfunction()

expect_refusal("a component that does not exist" [[no component "nonsense"; there are: support tensor einsum]] -D WANTED_VERSION=${VERSION}
               -D WANTED_COMPONENTS=nonsense)
expect_refusal("another minor version" "compatible with requested version" -D WANTED_VERSION=0.99)
