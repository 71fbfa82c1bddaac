# SPDX-License-Identifier: MIT
# The examples of docstrings give what they say: the statements of each ```jldoctest block are run one by one in Main, as a REPL would.

# Pairs of a statement and the text that it prints.
function statements(block)
    found = Tuple{String,String}[]
    code, output = "", ""
    is_code = false
    for line in split(chomp(block), '\n')
        if startswith(line, "julia> ")
            isempty(code) || push!(found, (code, rstrip(output)))
            code, output, is_code = line[8:end], "", true
        elseif is_code && startswith(line, "       ")
            code *= "\n" * line[8:end]
        else
            is_code = false
            output *= line * "\n"
        end
    end
    isempty(code) || push!(found, (code, rstrip(output)))
    return found
end

function shown(value, code)
    (value === nothing || endswith(code, ';')) && return ""
    return sprint((io, x) -> show(IOContext(io, :limit => true), MIME("text/plain"), x), value)
end

documented = [(binding.var, doc) for (binding, multi) in Base.Docs.meta(Snoopi) for (_, doc) in multi.docs]

@testset "examples of docstrings" begin
    exported = filter(n -> n !== :Snoopi, names(Snoopi))
    @test isempty(setdiff(exported, first.(documented)))
    n_blocks = 0
    for (name, doc) in documented, found in eachmatch(r"```jldoctest\n(.*?)```"s, join(doc.text))
        n_blocks += 1
        for (code, expected) in statements(found.captures[1])
            value = Base.include_string(Main, code, string("example of ", name))
            @test (name, code, shown(value, code)) == (name, code, expected)
        end
    end
    @test n_blocks >= 8
end
