# SPDX-License-Identifier: MIT
# Writes what the parser of the Julia that runs this thinks of characters and operators:
#
#   julia-1.5.3  --startup-file=no generate_tables.jl > tables_1_5.c
#   julia-1.10.6 --startup-file=no generate_tables.jl > tables_1_10.c
#
# and so for 1.6.7, 1.7.3, 1.8.5, 1.9.4, 1.11.1 and 1.12.5, each of which has a newer Unicode or other operators.

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

function ranges()
    out = UInt32[]
    last = -1
    for c in UInt32(0):UInt32(0x10ffff)
        flags = char_flags(c)
        flags == last || push!(out, c << 4 | UInt32(flags))
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

function operators()
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
    sort(collect(found); by = p -> collect(codeunits(p.first)))
end

function wrapped(items)
    line = "   "
    for item in items
        if length(line) + 2 + length(item) > 100
            println(line)
            line = "   "
        end
        line *= " " * item * ","
    end
    println(line)
end

quoted(s) = "\"" * replace(replace(replace(s, "\\" => "\\\\"), "\"" => "\\\""), "?" => "\\?") * "\""

function main()
    suffix = "$(VERSION.major)_$(VERSION.minor)"
    version = unsafe_string(ccall(:utf8proc_unicode_version, Cstring, ()))
    println("// SPDX-License-Identifier: MIT")
    println("// Written by generate_tables.jl with Julia $VERSION (Unicode $version). Do not edit.")
    println("#include \"julia_tables.h\"")
    println()
    println("// clang-format off")
    println("// First character of a range << 4 | TABLE_CHAR_* of all in it.")
    println("static const uint32_t char_ranges[] = {")
    all_ranges = ranges()
    wrapped(["0x" * string(r, base = 16) for r in all_ranges])
    println("};")
    println()
    println("// By bytes. The word without the dot of `.+`.")
    println("static const struct snoopi__operator operators[] = {")
    wrapped(["{$(quoted(name)), $flags}" for (name, flags) in operators()])
    println("};")
    println("// clang-format on")
    println()
    println("const snoopi__syntax snoopi__syntax_$suffix = {")
    println("    .char_ranges = char_ranges,")
    println("    .n_char_ranges = sizeof char_ranges / sizeof char_ranges[0],")
    println("    .operators = operators,")
    println("    .n_operators = sizeof operators / sizeof operators[0],")
    println("};")
end

main()
