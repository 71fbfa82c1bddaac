# SPDX-License-Identifier: MIT
# Libraries that others wrote. snoopi_find_static() gives the archives that are linked hidden into ours, since the
# julia that loads libsnoopi may have its own copy of the same library. A folder asks for what it uses; what is
# asked for and missing ends the configuration, naming the Debian package.
include_guard(GLOBAL)
find_package(PkgConfig REQUIRED)

# snoopi_find_static(NAME HEADER PACKAGE): target snoopi::NAME from libNAME.a
function(snoopi_find_static name header package)
    if(TARGET snoopi::${name})
        return()
    endif()
    find_library(SNOOPI_${name}_ARCHIVE lib${name}.a)
    find_path(SNOOPI_${name}_INCLUDE ${header})
    mark_as_advanced(SNOOPI_${name}_ARCHIVE SNOOPI_${name}_INCLUDE)
    if(NOT SNOOPI_${name}_ARCHIVE OR NOT SNOOPI_${name}_INCLUDE)
        message(FATAL_ERROR "lib${name}.a and ${header} are needed; on Debian: apt-get install ${package}")
    endif()
    add_library(snoopi::${name} STATIC IMPORTED GLOBAL)
    set_target_properties(snoopi::${name} PROPERTIES
        IMPORTED_LOCATION ${SNOOPI_${name}_ARCHIVE} INTERFACE_INCLUDE_DIRECTORIES ${SNOOPI_${name}_INCLUDE})
endfunction()

# snoopi_add_protobuf(TARGET PACKAGE FILE FOLDER...)
#
# Compiles FILE.proto, which Debian's PACKAGE has in one of FOLDER..., into TARGET; its header is FILE.pb-c.h.
function(snoopi_add_protobuf target package file)
    find_program(SNOOPI_PROTOC_C protoc-c)
    find_path(SNOOPI_${file}_PROTO ${file}.proto PATHS ${ARGN} NO_DEFAULT_PATH NO_CMAKE_FIND_ROOT_PATH)
    mark_as_advanced(SNOOPI_PROTOC_C SNOOPI_${file}_PROTO)
    if(NOT SNOOPI_PROTOC_C)
        message(FATAL_ERROR "protoc-c is needed; on Debian: apt-get install protobuf-c-compiler")
    endif()
    if(NOT SNOOPI_${file}_PROTO)
        message(FATAL_ERROR "${file}.proto is needed; on Debian: apt-get install ${package}")
    endif()
    set(made ${CMAKE_CURRENT_BINARY_DIR}/${file}.pb-c)
    add_custom_command(OUTPUT ${made}.c ${made}.h
        COMMAND ${SNOOPI_PROTOC_C} --c_out=${CMAKE_CURRENT_BINARY_DIR} --proto_path=${SNOOPI_${file}_PROTO} ${file}.proto
        DEPENDS ${SNOOPI_${file}_PROTO}/${file}.proto VERBATIM)
    set_source_files_properties(${made}.c PROPERTIES COMPILE_OPTIONS -w) # not our code
    target_sources(${target} PRIVATE ${made}.c ${made}.h)
    target_include_directories(${target} PRIVATE ${CMAKE_CURRENT_BINARY_DIR})
endfunction()

# snoopi_find_shared(NAME MODULE PACKAGE): target PkgConfig::NAME from pkg-config's MODULE
macro(snoopi_find_shared name module package)
    pkg_check_modules(${name} QUIET IMPORTED_TARGET GLOBAL ${module})
    if(NOT ${name}_FOUND)
        message(FATAL_ERROR "${module} is needed; on Debian: apt-get install ${package}")
    endif()
endmacro()
