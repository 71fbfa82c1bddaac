# SPDX-License-Identifier: MIT
# Enters what the parser of the Julia that runs this thinks of characters and operators into the tables of all versions:
#
#   julia --startup-file=no generate_tables.jl tables.c
#
# Its column is the one of its version in julia_tables.h (SYNTAX_1_5 …); all others stay as they are in the file.

const START, ID, PRINT, SUFFIX = 1, 2, 4, 8

# jl_op_suffix_char: marks (Mn, Mc, Me), primes, and these super- and subscripts.
const SUFFIXES = Set(UInt32.(collect("₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎²³¹ʰʲʳʷʸˡˢˣᴬᴮᴰᴱᴳᴴᴵᴶᴷᴸᴹᴺᴼᴾᴿᵀᵁᵂᵃᵇᵈᵉᵍᵏᵐᵒᵖᵗᵘᵛᵝᵞᵟᵠᵡᵢᵣᵤᵥᵦᵧᵨᵩᵪ" *
                                 "ᶜᶠᶥᶦᶫᶰᶸᶻᶿ⁰ⁱ⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿₐₑₒₓₕₖₗₘₙₚₛₜⱼⱽ′″‴‵‶‷⁗")))

category(c) = ccall(:utf8proc_category, Cint, (UInt32,), c)

function char_flags(c)
    flags = 0
    ccall(:jl_id_start_char, Cint, (UInt32,), c) != 0 && (flags |= START)
    ccall(:jl_id_char, Cint, (UInt32,), c) != 0 && (flags |= ID)
    1 <= category(c) <= 23 && (flags |= PRINT)
    c >= 0xa1 && (category(c) in (6, 7, 8) || c in SUFFIXES) && (flags |= SUFFIX)
    flags
end

"First characters of ranges => flags."
function own_ranges()
    out = Dict{Int,Int}()
    last = -1
    for c in UInt32(0):UInt32(0x10ffff)
        flags = char_flags(c)
        flags == last || (out[Int(c)] = flags)
        last = flags
    end
    out
end

# Candidates: short words of ASCII's operator characters, and single characters that are symbols or punctuation.
function candidates()
    ascii = collect("!\$%&'*+-./:<=>?\\^|~")
    words = string.(ascii)
    all = copy(words)
    for _ in 2:4
        words = [w * c for w in words for c in ascii]
        append!(all, words)
    end
    for c in UInt32(0xa1):UInt32(0x10ffff)
        12 <= category(c) <= 22 && push!(all, string(Char(c)))
    end
    # two of the operators are words of these
    for op in ("⊻", "÷"), tail in ("=",)
        push!(all, op * tail)
    end
    all
end

const PLAIN, DOTTED, PLAIN_SUFFIX, DOTTED_SUFFIX, PLAIN_SYNTAX, DOTTED_SYNTAX = 1, 2, 4, 8, 16, 32

is_operator(s) = ccall(:jl_is_operator, Cint, (Cstring,), s) != 0
# Base.is_valid_identifier counts two more.
is_syntax(s) = isdefined(Base, :is_syntactic_operator) && (s in ("::", "?") || Base.is_syntactic_operator(Symbol(s)))

"Word without the dot of `.+` => flags."
function own_operators()
    found = Dict{String,Int}()
    for word in candidates()
        is_operator(word) || continue
        dotted = startswith(word, '.') && !(word in (".", "..", "...", ".'"))
        name = dotted ? word[2:end] : word
        flags = dotted ? DOTTED : PLAIN
        is_syntax(word) && (flags |= dotted ? DOTTED_SYNTAX : PLAIN_SYNTAX)
        is_operator(word * "₁") && (flags |= dotted ? DOTTED_SUFFIX : PLAIN_SUFFIX)
        found[name] = get(found, name, 0) | flags
    end
    for (name, flags) in collect(found)
        if !isascii(name) && is_operator("." * name)
            flags |= DOTTED
            is_syntax("." * name) && (flags |= DOTTED_SYNTAX)
            is_operator("." * name * "₁") && (flags |= DOTTED_SUFFIX)
            found[name] = flags
        end
    end
    found
end

# --- the file ---

"The versions that have a column, in order: those of the enum in julia_tables.h."
versions() = [m[1] for m in eachmatch(r"SYNTAX_(1_\d+)", read(joinpath(@__DIR__, "julia_tables.h"), String))]

"What stands between the braces of `name` in the file."
section(text, name) = (m = match(Regex(name * "\\[.*?\\{\\n(.*?)\\n\\};", "s"), text); m === nothing ? "" : m[1])

rows(text) = [parse.(Int, split(m[1], ", ")) for m in eachmatch(r"\{([\d, ]+)\}", text)]

"Character => flags by column, of the first characters of ranges; those of a new column are 0."
function read_ranges(text, n)
    kinds = rows(section(text, "snoopi__char_kinds"))
    entries = [parse(Int, m[1], base = 16) for m in eachmatch(r"0x([0-9a-f]+)", section(text, "snoopi__char_ranges"))]
    Dict(e >> 8 => resize(kinds[e & 255 + 1], n) for e in entries)
end

"Word => flags by column."
function read_operators(text, n)
    kinds = rows(section(text, "snoopi__operator_kinds"))
    found = eachmatch(r"\{(\"(?:[^\"\\]|\\.)+\"), (\d+)\}", section(text, "snoopi__operators"))
    Dict(unquoted(m[1]) => resize(kinds[parse(Int, m[2]) + 1], n) for m in found)
end

resize(flags, n) = [flags; zeros(Int, n - length(flags))]

"Both tables as functions of the character, `column` of the first from `own`: first characters => flags by column."
function merged(all, own, column, n)
    out = Pair{Int,Vector{Int}}[]
    others = zeros(Int, n)
    mine = 0
    for c in sort(unique([collect(keys(all)); collect(keys(own))]))
        others = get(all, c, others)
        mine = get(own, c, mine)
        flags = copy(others)
        flags[column] = mine
        (isempty(out) || last(out).second != flags) && push!(out, c => flags)
    end
    out
end

function wrapped(io, items)
    line = "   "
    for item in items
        if length(line) + 2 + length(item) > 100
            println(io, line)
            line = "   "
        end
        line *= " " * item * ","
    end
    println(io, line)
end

quoted(s) = "\"" * replace(replace(replace(s, "\\" => "\\\\"), "\"" => "\\\""), "?" => "\\?") * "\""
unquoted(s) = replace(s[nextind(s, 1):prevind(s, end)], r"\\(.)" => s"\1")

"The distinct rows of `table`, and the index of each."
function kinds_of(table)
    kinds = sort(unique(last.(table)))
    length(kinds) <= 256 || error("an index of kinds is a byte")
    kinds, Dict(kind => i - 1 for (i, kind) in enumerate(kinds))
end

put_kinds(io, name, kinds) = begin
    println(io, "const uint8_t $name[][SYNTAXES] = {")
    wrapped(io, ["{" * join(kind, ", ") * "}" for kind in kinds])
    println(io, "};")
end

function put_tables(io, sources, ranges, operators)
    println(io, "// SPDX-License-Identifier: MIT")
    println(io, "// Written by generate_tables.jl. Do not edit. Columns, and what they come from:")
    foreach(source -> println(io, "//   ", source), sources)
    println(io, "#include \"julia_tables.h\"\n\n// clang-format off")
    kinds, index = kinds_of(ranges)
    put_kinds(io, "snoopi__char_kinds", kinds)
    println(io, "\nconst uint32_t snoopi__char_ranges[] = {")
    wrapped(io, ["0x" * string(first << 8 | index[flags], base = 16) for (first, flags) in ranges])
    println(io, "};\nconst size_t snoopi__n_char_ranges = sizeof snoopi__char_ranges / sizeof snoopi__char_ranges[0];\n")
    kinds, index = kinds_of(operators)
    put_kinds(io, "snoopi__operator_kinds", kinds)
    println(io, "\nconst struct snoopi__operator snoopi__operators[] = {")
    wrapped(io, ["{$(quoted(word)), $(index[flags])}" for (word, flags) in operators])
    println(io, "};\nconst size_t snoopi__n_operators = sizeof snoopi__operators / sizeof snoopi__operators[0];\n// clang-format on")
end

function main(path)
    columns = versions()
    n = length(columns)
    mine = "$(VERSION.major)_$(VERSION.minor)"
    column = findfirst(isequal(mine), columns)
    column === nothing && error("julia_tables.h has no SYNTAX_$mine")
    text = isfile(path) ? read(path, String) : ""

    unicode = unsafe_string(ccall(:utf8proc_unicode_version, Cstring, ()))
    sources = [m === nothing ? "$c: nothing yet" : String(m[1]) for c in columns for m in (match(Regex("//   ($c: .*)"), text),)]
    sources[column] = "$mine: Julia $VERSION, Unicode $unicode"

    ranges = merged(read_ranges(text, n), own_ranges(), column, n)
    words = read_operators(text, n)
    own = own_operators()
    for word in union(keys(words), keys(own))
        flags = get!(() -> zeros(Int, n), words, word)
        flags[column] = get(own, word, 0)
    end
    table = sort([p for p in words if any(!iszero, p.second)]; by = p -> collect(codeunits(p.first)))
    open(io -> put_tables(io, sources, ranges, table), path * ".new", "w")
    mv(path * ".new", path; force = true)
end

main(ARGS[1])
