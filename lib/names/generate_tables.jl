# SPDX-License-Identifier: MIT
# Writes julia_tables.c: what Julia's parser thinks of characters and operators.
#
#   julia --startup-file=no generate_tables.jl > julia_tables.c
#
# Run with Julia 1.5.3 it gives the file as committed.

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

const PLAIN, DOTTED, PLAIN_SUFFIX, DOTTED_SUFFIX = 1, 2, 4, 8

function operators()
    found = Dict{String,Int}()
    for word in candidates()
        Base.isoperator(word) || continue
        dotted = startswith(word, '.') && !(word in (".", "..", "...", ".'"))
        name = dotted ? word[2:end] : word
        flags = dotted ? DOTTED : PLAIN
        Base.isoperator(word * "₁") && (flags |= dotted ? DOTTED_SUFFIX : PLAIN_SUFFIX)
        found[name] = get(found, name, 0) | flags
    end
    for (name, flags) in collect(found)
        if !isascii(name) && Base.isoperator("." * name)
            flags |= DOTTED
            Base.isoperator("." * name * "₁") && (flags |= DOTTED_SUFFIX)
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
    version = unsafe_string(ccall(:utf8proc_unicode_version, Cstring, ()))
    println("// SPDX-License-Identifier: MIT")
    println("// Written by generate_tables.jl with Julia $VERSION (Unicode $version). Do not edit.")
    println("#include \"julia_tables.h\"")
    println()
    println("// clang-format off")
    println("// First character of a range << 4 | TABLE_CHAR_* of all in it.")
    println("const uint32_t snoopi__char_ranges[] = {")
    all_ranges = ranges()
    wrapped(["0x" * string(r, base = 16) for r in all_ranges])
    println("};")
    println("const size_t snoopi__n_char_ranges = sizeof snoopi__char_ranges / sizeof snoopi__char_ranges[0];")
    println()
    println("// By bytes. The word without the dot of `.+`.")
    println("const struct snoopi__operator snoopi__operators[] = {")
    wrapped(["{$(quoted(name)), $flags}" for (name, flags) in operators()])
    println("};")
    println("const size_t snoopi__n_operators = sizeof snoopi__operators / sizeof snoopi__operators[0];")
    println("// clang-format on")
end

main()
