# SPDX-License-Identifier: MIT
# Tests are ctest entries, labelled by how long they take: short (all of them in a minute, at each build), medium (needs
# a julia, or minutes), long (on request). No test asserts a time.
include_guard(GLOBAL)

if(SNOOPI_JULIA)
    set(SNOOPI_TEST_JULIA ${SNOOPI_JULIA})
elseif(DEFINED ENV{SNOOPI_JULIA})
    set(SNOOPI_TEST_JULIA $ENV{SNOOPI_JULIA})
elseif(CMAKE_CROSSCOMPILING)
    set(SNOOPI_TEST_JULIA ${PROJECT_SOURCE_DIR}/.deps/aarch64/julia/usr/bin/julia)
else()
    set(SNOOPI_TEST_JULIA ${PROJECT_SOURCE_DIR}/.deps/julia-1.5.3/bin/julia)
endif()

# Programs of another machine: tests/emulated has what stands for them, and they take longer.
set(SNOOPI_TEST_BIN ${PROJECT_BINARY_DIR}/bin)
set(SNOOPI_TEST_PATIENCE 1)
if(CMAKE_CROSSCOMPILING)
    set(SNOOPI_TEST_BIN ${PROJECT_BINARY_DIR}/emulated)
    set(SNOOPI_TEST_PATIENCE 10)
endif()
if(NOT SNOOPI_TEST_JULIAS)
    set(SNOOPI_TEST_JULIAS $ENV{SNOOPI_TEST_JULIAS})
endif()

# What a test of programs, not of functions, finds in its environment.
set(SNOOPI_TEST_ENVIRONMENT
    SNOOPI_BIN_DIR=${SNOOPI_TEST_BIN}
    SNOOPI_LIB_DIR=${PROJECT_BINARY_DIR}/lib
    SNOOPI_TEST_BIN_DIR=${PROJECT_BINARY_DIR}/tests/bin
    SNOOPI_SOURCE_DIR=${PROJECT_SOURCE_DIR}
    SNOOPI_SANITIZE=${SNOOPI_SANITIZE}
    SNOOPI_JULIA=${SNOOPI_TEST_JULIA}
    SNOOPI_TEST_PATIENCE=${SNOOPI_TEST_PATIENCE}
    SNOOPI_TEST_JULIAS=${SNOOPI_TEST_JULIAS}
    BATS_LIB_PATH=/usr/lib/bats:/usr/share/bats
    ASAN_OPTIONS=detect_stack_use_after_return=1:strict_string_checks=1
    UBSAN_OPTIONS=print_stacktrace=1)

# The julias that tests record, and @VERSION of each. The first may come only after this was configured; its tests fail until then.
string(REPLACE ":" ";" julias "${SNOOPI_TEST_JULIA}:${SNOOPI_TEST_JULIAS}")
set(SNOOPI_RECORDED_JULIAS)
set(SNOOPI_RECORDED_SUFFIXES)
foreach(julia IN LISTS julias)
    if(julia STREQUAL "")
        continue()
    endif()
    set(suffix "")
    execute_process(COMMAND ${julia} --version OUTPUT_VARIABLE said ERROR_QUIET RESULT_VARIABLE status)
    if(status EQUAL 0 AND said MATCHES "version ([^ \n]+)")
        set(suffix @${CMAKE_MATCH_1})
    elseif(SNOOPI_RECORDED_JULIAS)
        message(FATAL_ERROR "SNOOPI_TEST_JULIAS names '${julia}', which is no julia that runs")
    endif()
    if("x${suffix}" IN_LIST SNOOPI_RECORDED_SUFFIXES)
        message(FATAL_ERROR "'${julia}' is the second julia of version ${CMAKE_MATCH_1} to test with")
    endif()
    list(APPEND SNOOPI_RECORDED_JULIAS ${julia})
    list(APPEND SNOOPI_RECORDED_SUFFIXES "x${suffix}") # CMake's lists lose an empty item
endforeach()

# snoopi_add_julia_test(NAME LABELS LABEL... TIMEOUT SECONDS COMMAND PROGRAM ARGUMENT...)
#
# A test that records a julia: an entry NAME@VERSION for each of those, which finds it as SNOOPI_JULIA in its environment.
function(snoopi_add_julia_test name)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "TIMEOUT" "LABELS;COMMAND")
    foreach(julia suffix IN ZIP_LISTS SNOOPI_RECORDED_JULIAS SNOOPI_RECORDED_SUFFIXES)
        string(SUBSTRING ${suffix} 1 -1 suffix)
        add_test(NAME ${name}${suffix} COMMAND ${arg_COMMAND})
        set_tests_properties(${name}${suffix} PROPERTIES LABELS "${arg_LABELS}" TIMEOUT ${arg_TIMEOUT}
            ENVIRONMENT "${SNOOPI_TEST_ENVIRONMENT};SNOOPI_JULIA=${julia}")
    endforeach()
endfunction()

# snoopi_add_unit_test(NAME LAYER FILE... [LABEL short] [LIBRARIES LIB...])
#
# One program of cmocka tests, ctest entry unit.LAYER.NAME. It is linked with snoopi_static unless LIBRARIES names others.
function(snoopi_add_unit_test name layer)
    cmake_parse_arguments(PARSE_ARGV 2 arg "" "LABEL" "LIBRARIES")
    find_library(SNOOPI_CMOCKA cmocka)
    mark_as_advanced(SNOOPI_CMOCKA)
    if(NOT SNOOPI_CMOCKA)
        message(FATAL_ERROR "cmocka is needed for the tests; on Debian: apt-get install libcmocka-dev")
    endif()
    if(NOT arg_LABEL)
        set(arg_LABEL short)
    endif()
    if(NOT DEFINED arg_LIBRARIES)
        set(arg_LIBRARIES snoopi_static)
    endif()

    set(target test_${name})
    add_executable(${target} ${arg_UNPARSED_ARGUMENTS})
    snoopi_target_defaults(${target})
    target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/lib ${PROJECT_SOURCE_DIR})
    target_link_libraries(${target} PRIVATE ${arg_LIBRARIES} ${SNOOPI_CMOCKA})
    set_target_properties(${target} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests/bin)

    add_test(NAME unit.${layer}.${name} COMMAND ${target})
    math(EXPR timeout "300 * ${SNOOPI_TEST_PATIENCE}")
    set_tests_properties(unit.${layer}.${name} PROPERTIES
        LABELS "${arg_LABEL};unit;${layer}" TIMEOUT ${timeout} ENVIRONMENT "${SNOOPI_TEST_ENVIRONMENT}")
endfunction()

# snoopi_add_bats(FILE [JULIA] [LABEL medium] [TIMEOUT SECONDS])
#
# One bats file, named relative to the caller, as the ctest entry FOLDER.NAME. JULIA: it records one, so that there is an entry
# FOLDER.NAME@VERSION for each julia.
function(snoopi_add_bats file)
    cmake_parse_arguments(PARSE_ARGV 1 arg "JULIA" "LABEL;TIMEOUT" "")
    find_program(SNOOPI_BATS bats)
    mark_as_advanced(SNOOPI_BATS)
    if(NOT SNOOPI_BATS)
        message(FATAL_ERROR "bats is needed for the tests; on Debian: apt-get install bats bats-support bats-assert bats-file")
    endif()
    if(NOT arg_LABEL)
        set(arg_LABEL medium)
    endif()
    if(NOT arg_TIMEOUT)
        set(arg_TIMEOUT 600)
    endif()

    math(EXPR timeout "${arg_TIMEOUT} * ${SNOOPI_TEST_PATIENCE}")
    cmake_path(ABSOLUTE_PATH file BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} NORMALIZE)
    cmake_path(GET file STEM name)
    cmake_path(GET file PARENT_PATH folder)
    cmake_path(GET folder FILENAME area)
    set(command ${SNOOPI_BATS} --print-output-on-failure ${file})
    set(labels ${arg_LABEL} bats ${area})
    if(arg_JULIA)
        snoopi_add_julia_test(${area}.${name} LABELS ${labels} TIMEOUT ${arg_TIMEOUT} COMMAND ${command})
    else()
        add_test(NAME ${area}.${name} COMMAND ${command})
        set_tests_properties(${area}.${name} PROPERTIES
            LABELS "${labels}" TIMEOUT ${timeout} ENVIRONMENT "${SNOOPI_TEST_ENVIRONMENT}")
    endif()
endfunction()

# The rules of docs/conventions.md that a script can see. The same for all presets, so the sanitizers' leave them out.
function(snoopi_add_source_checks)
    if(SNOOPI_SANITIZE)
        return()
    endif()
    foreach(check IN ITEMS layers names headers format symbols)
        add_test(NAME source.${check} COMMAND ${PROJECT_SOURCE_DIR}/tools/check-${check})
        set_tests_properties(source.${check} PROPERTIES LABELS "short;source" ENVIRONMENT SNOOPI_LIB_DIR=${PROJECT_BINARY_DIR}/lib)
    endforeach()
endfunction()
