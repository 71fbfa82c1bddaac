# SPDX-License-Identifier: MIT
# Tests are ctest entries, labelled by how long they take: short (all of them in a minute, at each build), medium (needs
# a julia, or minutes), long (on request). No test asserts a time.
include_guard(GLOBAL)

if(SNOOPI_JULIA)
    set(SNOOPI_TEST_JULIA ${SNOOPI_JULIA})
elseif(DEFINED ENV{SNOOPI_JULIA})
    set(SNOOPI_TEST_JULIA $ENV{SNOOPI_JULIA})
else()
    set(SNOOPI_TEST_JULIA ${PROJECT_SOURCE_DIR}/.deps/julia-1.5.3/bin/julia)
endif()

# What a test of programs, not of functions, finds in its environment.
set(SNOOPI_TEST_ENVIRONMENT
    SNOOPI_BIN_DIR=${PROJECT_BINARY_DIR}/bin
    SNOOPI_LIB_DIR=${PROJECT_BINARY_DIR}/lib
    SNOOPI_TEST_BIN_DIR=${PROJECT_BINARY_DIR}/tests/bin
    SNOOPI_SOURCE_DIR=${PROJECT_SOURCE_DIR}
    SNOOPI_SANITIZE=${SNOOPI_SANITIZE}
    SNOOPI_JULIA=${SNOOPI_TEST_JULIA}
    BATS_LIB_PATH=/usr/lib/bats:/usr/share/bats
    ASAN_OPTIONS=detect_stack_use_after_return=1:strict_string_checks=1
    UBSAN_OPTIONS=print_stacktrace=1)

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
    set_tests_properties(unit.${layer}.${name} PROPERTIES
        LABELS "${arg_LABEL};unit;${layer}" TIMEOUT 300 ENVIRONMENT "${SNOOPI_TEST_ENVIRONMENT}")
endfunction()

# snoopi_add_bats(FILE [LABEL medium] [TIMEOUT SECONDS])
#
# One bats file, named relative to the caller, as the ctest entry FOLDER.NAME.
function(snoopi_add_bats file)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "LABEL;TIMEOUT" "")
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

    cmake_path(ABSOLUTE_PATH file BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} NORMALIZE)
    cmake_path(GET file STEM name)
    cmake_path(GET file PARENT_PATH folder)
    cmake_path(GET folder FILENAME area)
    add_test(NAME ${area}.${name} COMMAND ${SNOOPI_BATS} --print-output-on-failure ${file})
    set_tests_properties(${area}.${name} PROPERTIES
        LABELS "${arg_LABEL};bats;${area}" TIMEOUT ${arg_TIMEOUT} ENVIRONMENT "${SNOOPI_TEST_ENVIRONMENT}")
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
