# SPDX-License-Identifier: MIT
# cmake -DSOURCE_DIR=viewer -DOUT_DIR=… -DSTYLES=a,b -DSCRIPTS=a,b -P build.cmake
#
# Writes page_head.html and page_tail.html: index.html with the styles and scripts in it, cut at its line <!-- data -->. The scripts
# are modules to an editor and to node; in the page they share one function, so import lines go, and the word export.

cmake_minimum_required(VERSION 3.25)

function(read_all out files)
    string(REPLACE "," ";" files "${files}")
    set(all "")
    foreach(file IN LISTS files)
        file(READ ${SOURCE_DIR}/${file} text)
        string(APPEND all "${text}")
    endforeach()
    set(${out} "${all}" PARENT_SCOPE)
endfunction()

# split(BEFORE AFTER TEXT MARK): TEXT around the first MARK. By position, since lists and patterns would change the text.
function(split before after text mark)
    string(FIND "${text}" "${mark}" at)
    if(at EQUAL -1)
        message(FATAL_ERROR "index.html has no ${mark}")
    endif()
    string(SUBSTRING "${text}" 0 ${at} head)
    string(LENGTH "${mark}" length)
    math(EXPR at "${at} + ${length}")
    string(SUBSTRING "${text}" ${at} -1 tail)
    set(${before} "${head}" PARENT_SCOPE)
    set(${after} "${tail}" PARENT_SCOPE)
endfunction()

read_all(css "${STYLES}")
read_all(js "${SCRIPTS}")
string(REGEX REPLACE "\nimport [^\n]*" "" js "${js}")
string(REGEX REPLACE "\nexport (async function|function|const|class)" "\n\\1" js "${js}")
string(REGEX MATCHALL "\n(async function|function|const|let|class) [A-Za-z_]+" names "${js}")
set(seen "")
foreach(name IN LISTS names)
    string(REGEX REPLACE ".* " "" name "${name}")
    if(name IN_LIST seen)
        message(FATAL_ERROR "two scripts of the viewer have a ${name} at their top; one needs another name")
    endif()
    list(APPEND seen ${name})
endforeach()
string(FIND "${js}" "</script" at)
if(NOT at EQUAL -1)
    message(FATAL_ERROR "a script holds </script, which would end it in the page")
endif()

file(READ ${SOURCE_DIR}/index.html page)
split(head rest "${page}" "/* styles */")
split(middle rest "${rest}" "<!-- data -->\n")
split(before_js after_js "${rest}" "/* scripts */")
file(WRITE ${OUT_DIR}/page_head.html "${head}${css}${middle}")
file(WRITE ${OUT_DIR}/page_tail.html "${before_js}${js}${after_js}")
