#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# A trace whose every text tries to break out: no escape reaches a terminal, no string or element ends early, no file lands elsewhere.
load reliability_helper

# What each listing prints of a trace, a file for each.
listings() {
    local trace=$1 format
    snoopi report --color=never "$trace" >"$trace.report" 2>/dev/null
    snoopi info --color=never "$trace" >"$trace.info" 2>/dev/null
    for format in table json csv tsv; do
        for by in frame instance method function module package file root process thread; do
            snoopi list --color=never --by=$by --format=$format "$trace" >"$trace.list-$by.$format" 2>/dev/null
        done
        snoopi triggers --color=never --format=$format "$trace" >"$trace.triggers.$format" 2>/dev/null
        snoopi advise --color=never --tmin=0 --format=$format "$trace" >"$trace.advise.$format" 2>/dev/null
        snoopi diff --color=never --format=$format plain "$trace" >"$trace.diff.$format" 2>/dev/null
        snoopi tree --color=never --format=$format "$trace" >"$trace.tree.$format" 2>/dev/null
    done
    snoopi diff --color=never --format=markdown plain "$trace" >"$trace.diff.markdown" 2>/dev/null
    for to in folded json jsonl csv chrome speedscope svg html; do
        snoopi export --to=$to -o - "$trace" >"$trace.export.$to" 2>/dev/null
    done
}

setup_file() {
    BATS_TEST_TMPDIR=$BATS_FILE_TMPDIR in_own_folder
    mkdir work
    cd work || return 1
    "$SNOOPI_TEST_BIN_DIR/make_hostile" words.parts words
    "$SNOOPI_TEST_BIN_DIR/make_hostile" plain.parts plain
    snoopi pack words.parts -o words 2>words.pack
    snoopi pack plain.parts -o plain 2>plain.pack
    listings words
    listings plain
}

setup() {
    cd "$BATS_FILE_TMPDIR/work" || return 1
    export LC_ALL=C.UTF-8 TERM=xterm
    unset NO_COLOR COLUMNS
}

# No byte that a terminal acts on, and only UTF-8; a tab only where tabs separate.
assert_tame() {
    python3 - "$@" <<'END'
import sys
for path in sys.argv[1:]:
    text = open(path, "rb").read().decode("utf-8") # or it fails
    assert text, path + " is empty: this tests nothing"
    bad = [(i, c) for i, c in enumerate(text) if (ord(c) < 32 or 127 <= ord(c) < 160) and c not in "\n\t"]
    assert not bad, (path, bad[:3], text[max(0, bad[0][0] - 60):bad[0][0] + 20])
END
}

@test "what is printed and exported of hostile words is tame" {
    local name
    for name in words.report words.info words.list-* words.triggers.* words.advise.table words.advise.json words.diff.* words.tree.* words.export.*; do
        [ -s "$name" ] || continue
        assert_tame "$name"
    done
    assert_tame words.pack
    # They are there, in an escaped form.
    grep -q 'alert(1)' words.list-instance.table
    grep -qF '\u001b' words.list-method.csv
    grep -qF '\e]0;title' words.list-method.table
    for name in words.*.json words.export.json words.export.chrome words.export.speedscope words.export.jsonl; do
        jq . "$name" >/dev/null
    done
    # A table of one line a row has as many lines as with harmless words.
    for name in list-method list-module list-file list-process triggers; do
        assert_equal "$(wc -l <"words.$name.table")" "$(wc -l <"plain.$name.table")"
        assert_equal "$(wc -l <"words.$name.tsv")" "$(wc -l <"plain.$name.tsv")"
    done
}

@test "an interactive terminal gets no other escapes than snoopi's own" {
    local command
    for command in report info "list --by=method" tree triggers advise; do
        script -qec "stty cols 140; '$SNOOPI_BIN_DIR/snoopi' $command --color=always words" /dev/null >raw </dev/null
        # Colours are all that is snoopi's: they go, and nothing must be left.
        tr -d '\r' <raw | sed 's/\x1b\[[0-9;]*m//g' >tame
        # Clearing the line of progress is snoopi's too.
        sed -i 's/\x1b\[K//g' tame
        assert_tame tame
    done
}

@test "pages and pictures hold the elements that harmless words make, and no more" {
    python3 - <<'END'
import html.parser, xml.etree.ElementTree

class Elements(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.found = []
    def handle_starttag(self, tag, attributes):
        self.found.append((tag, sorted(name for name, _ in attributes)))

def elements(path):
    parser = Elements()
    parser.feed(open(path, encoding="utf-8").read())
    return parser.found

assert elements("words.export.html") == elements("plain.export.html")
words, plain = (xml.etree.ElementTree.parse(name + ".export.svg") for name in ("words", "plain"))
tags = [[e.tag for e in tree.iter()] for tree in (words, plain)]
assert sorted(set(tags[0])) == sorted(set(tags[1])), set(tags[0]) ^ set(tags[1])
names = [sorted({a for e in tree.iter() for a in e.attrib}) for tree in (words, plain)]
assert names[0] == names[1]
END
}

@test "readers that others wrote find the fields where they are" {
    python3 - <<'END'
import csv
for name in ("list-method", "triggers"):
    rows = {t: list(csv.reader(open(t + "." + name + ".csv", newline=""))) for t in ("words", "plain")}
    assert {len(r) for r in rows["words"]} == {len(rows["plain"][0])}, name
    assert len(rows["words"]) == len(rows["plain"]), name
rows = list(csv.reader(open("words.export.csv", newline="")))
assert {len(r) for r in rows} == {19} and len(rows) == 21
for line in open("words.export.folded", encoding="utf-8", newline="\n"):
    path, number = line.rstrip("\n").rsplit(" ", 1)
    assert int(number) >= 0 and path
END
    snoopi export --to=sqlite -o words.db words
    run -0 python3 -c 'import sqlite3; print(sqlite3.connect("words.db").execute("select count(*) from frames").fetchone()[0])'
    assert_output 20
}

@test "no file lands but where it was asked for" {
    mkdir -p elsewhere/in/out
    cd elsewhere/in || return 1
    local before
    before=$(find "$BATS_FILE_TMPDIR" ! -path '*/in/*' | sort)
    snoopi precompile --tmin=0 -o out ../../words >printed 2>&1 || true
    assert_tame printed
    assert_equal "$(find "$BATS_FILE_TMPDIR" ! -path '*/in/*' | sort)" "$before"
    assert_equal "$(find . -mindepth 1 ! -path './out/*' | sort)" $'./out\n./printed'
    assert_equal "$(find out -mindepth 2)" ''
}
