# SPDX-License-Identifier: MIT
# Numbers out of text, and into it.

mutable struct Scanner
    bytes::Vector{UInt8}
    at::Int
end

Scanner(text::AbstractString) = Scanner(Vector{UInt8}(String(text)), 1)

at_end(s::Scanner) = s.at > length(s.bytes)
peek(s::Scanner) = at_end(s) ? '\n' : Char(s.bytes[s.at])

function skip!(s::Scanner, c::Char)
    while !at_end(s) && peek(s) == c
        s.at += 1
    end
end

skip_spaces!(s::Scanner) = skip!(s, ' ')

function skip_line!(s::Scanner)
    while !at_end(s) && peek(s) != '\n'
        s.at += 1
    end
    s.at += 1
    return nothing
end

# Digits with a point between, and a sign before.
function scan_number!(s::Scanner)
    sign = 1.0
    if peek(s) == '-'
        sign = -1.0
        s.at += 1
    end
    value, scale, is_behind = 0.0, 1.0, false
    while !at_end(s)
        c = peek(s)
        if c == '.' && !is_behind
            is_behind = true
        elseif '0' <= c <= '9'
            value = 10.0 * value + (c - '0')
            scale = is_behind ? 10.0 * scale : scale
        else
            break
        end
        s.at += 1
    end
    return sign * value / scale
end

function put_padded!(bytes::Vector{UInt8}, text::String, width::Int)
    for _ in (sizeof(text) + 1):width
        push!(bytes, UInt8(' '))
    end
    for i in 1:sizeof(text)
        push!(bytes, codeunit(text, i))
    end
    return bytes
end

# A number with so many decimals.
function put_fixed!(bytes::Vector{UInt8}, value::Float64, decimals::Int, width::Int)
    scaled = abs(value)
    for _ in 1:decimals
        scaled *= 10.0
    end
    rest = floor(Int, scaled + 0.5)
    digits = zeros(UInt8, 32)
    at = 33
    shortest = decimals > 0 ? decimals + 2 : 1
    while rest > 0 || 33 - at < shortest
        at -= 1
        if 32 - at == decimals && decimals > 0
            digits[at] = UInt8('.')
        else
            digits[at] = UInt8('0') + UInt8(rest % 10)
            rest = div(rest, 10)
        end
    end
    if value < 0
        at -= 1
        digits[at] = UInt8('-')
    end
    for _ in (33 - at + 1):width
        push!(bytes, UInt8(' '))
    end
    for i in at:32
        push!(bytes, digits[i])
    end
    return bytes
end
