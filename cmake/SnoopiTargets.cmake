# SPDX-License-Identifier: MIT
# How every target of this project is compiled.
include_guard(GLOBAL)

# The machine that is compiled for, as files of agent/machine have it in their names.
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$")
    set(SNOOPI_MACHINE amd64)
elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "^(aarch64|ARM64|arm64)$")
    set(SNOOPI_MACHINE aarch64)
else()
    message(FATAL_ERROR "the agent has no native hook for ${CMAKE_SYSTEM_PROCESSOR} yet")
endif()

# Warnings, for our own code only.
add_library(snoopi_warnings INTERFACE)
target_compile_options(snoopi_warnings INTERFACE
    $<$<COMPILE_LANGUAGE:C>:-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion
    -Wstrict-prototypes -Wmissing-prototypes -Wvla -Wformat=2 -Wundef -Wcast-qual -Wswitch-enum>
    $<$<BOOL:${SNOOPI_WERROR}>:-Werror>)

# Sanitizers. A finding ends the program, so that a test fails.
add_library(snoopi_sanitize INTERFACE)
if(SNOOPI_SANITIZE)
    target_compile_options(snoopi_sanitize INTERFACE
        -fsanitize=${SNOOPI_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
    target_link_options(snoopi_sanitize INTERFACE -fsanitize=${SNOOPI_SANITIZE})
endif()

if(SNOOPI_LTO)
    include(CheckIPOSupported)
    check_ipo_supported(LANGUAGES C)
    set(CMAKE_INTERPROCEDURAL_OPTIMIZATION ON)
endif()

# snoopi_target_defaults(TARGET [NO_SANITIZE])
#
# To be called on each target. NO_SANITIZE is for what is loaded into a foreign program: a sanitized library cannot
# be preloaded into a julia that is not.
function(snoopi_target_defaults target)
    cmake_parse_arguments(PARSE_ARGV 1 arg "NO_SANITIZE" "" "")
    target_compile_definitions(${target} PRIVATE _GNU_SOURCE)
    target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/include)
    target_link_libraries(${target} PRIVATE $<BUILD_INTERFACE:snoopi_warnings>)
    if(NOT arg_NO_SANITIZE)
        target_link_libraries(${target} PRIVATE $<BUILD_INTERFACE:snoopi_sanitize>)
    endif()
endfunction()

# snoopi_embed_text(TARGET SYMBOL FILE)
#
# Puts the text of a file of this folder into a target, as `extern const char SYMBOL[]`.
function(snoopi_embed_text target symbol file)
    set(file ${CMAKE_CURRENT_SOURCE_DIR}/${file})
    set(source ${CMAKE_CURRENT_BINARY_DIR}/${symbol}.S)
    configure_file(${PROJECT_SOURCE_DIR}/cmake/text.S.in ${source} @ONLY)
    set_source_files_properties(${source} PROPERTIES OBJECT_DEPENDS ${file}) # .incbin is no #include
    target_sources(${target} PRIVATE ${source})
endfunction()

# snoopi_add_layer(NAME FILE...)
#
# A layer of libsnoopi, to be called from lib/NAME. It is compiled once, for the shared and the static library. Headers of
# layers are included as "layer/name.h"; which layer may see which is checked by tools/check-layers.
function(snoopi_add_layer name)
    add_library(snoopi_layer_${name} OBJECT ${ARGN})
    snoopi_target_defaults(snoopi_layer_${name})
    target_compile_definitions(snoopi_layer_${name} PRIVATE SNOOPI_BUILDING_LIBRARY)
    target_include_directories(snoopi_layer_${name} PRIVATE ${PROJECT_SOURCE_DIR}/lib)
    set_property(GLOBAL APPEND PROPERTY SNOOPI_LAYERS snoopi_layer_${name})
endfunction()

# snoopi_add_library([LIBRARY...])
#
# Makes libsnoopi of all layers so far: snoopi_lib (shared, exporting what SNOOPI_API marks) and snoopi_static, which
# lets unit tests reach inside. LIBRARY... are linked in, hidden.
function(snoopi_add_library)
    get_property(layers GLOBAL PROPERTY SNOOPI_LAYERS)
    list(TRANSFORM layers REPLACE "(.+)" "$<TARGET_OBJECTS:\\1>" OUTPUT_VARIABLE objects)

    add_library(snoopi_lib SHARED ${objects})
    set_target_properties(snoopi_lib PROPERTIES OUTPUT_NAME snoopi LINKER_LANGUAGE C
        VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR})
    target_link_libraries(snoopi_lib PRIVATE ${ARGN} $<BUILD_INTERFACE:snoopi_sanitize>)
    target_link_options(snoopi_lib PRIVATE -Wl,--exclude-libs,ALL)
    if(NOT SNOOPI_SANITIZE)
        target_link_options(snoopi_lib PRIVATE -Wl,-z,defs)
    endif()
    target_include_directories(snoopi_lib PUBLIC
        $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)

    add_library(snoopi_static STATIC EXCLUDE_FROM_ALL ${objects})
    set_target_properties(snoopi_static PROPERTIES LINKER_LANGUAGE C)
    target_link_libraries(snoopi_static PUBLIC ${ARGN} $<BUILD_INTERFACE:snoopi_sanitize>)
    target_include_directories(snoopi_static PUBLIC ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/lib)

    install(TARGETS snoopi_lib LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
    install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/snoopi DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
endfunction()
