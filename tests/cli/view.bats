#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# snoopi view: the page is written, and a browser is started on it. The browser here is a script that notes what it was given.
load helper

setup() {
    in_own_folder
    export TMPDIR=$PWD
    sample snoopi.data 'f(g)'
    printf '#!/bin/sh\nprintf "%%s" "$1" >"%s/opened"\n' "$PWD" >browser
    chmod +x browser
    export BROWSER=$PWD/browser
}

@test "the page is opened from a new folder that is private" {
    run --separate-stderr snoopi view
    assert_success
    assert_output ""
    page=$(cat opened)
    assert_equal "$stderr" "snoopi: $page is open in a browser"
    grep -q '<title>snoopi</title>' "$page"
    assert_equal "$(stat -c %a "${page%/*}")" 700
}

@test "the same trace gives the same page, which is the one of export" {
    snoopi view --no-browser -o a.html
    snoopi export --to=html -o b.html
    cmp a.html b.html
    assert_not_exist opened
}

@test "the first of several browsers counts" {
    BROWSER=$BROWSER:/no/such run snoopi view
    assert_success
    assert_exist opened
}

@test "no browser: where the page is gets said" {
    BROWSER=/no/such run snoopi view -o page.html
    assert_failure 1
    assert_output "snoopi: cannot run /no/such: No such file or directory; open $PWD/page.html in a browser"
    assert_exist page.html
}

@test "a browser that fails" {
    BROWSER=false run snoopi view -o page.html
    assert_failure 1
    assert_output "snoopi: false could not open a browser; open $PWD/page.html in one"
}

@test "without a trace no folder is left" {
    run snoopi view nothing.data
    assert_failure 1
    run find . -name 'snoopi-view-*'
    assert_output ""
}

@test "standard output is no page to open" {
    run snoopi view -o -
    assert_failure 2
}
