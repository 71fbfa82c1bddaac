# SPDX-License-Identifier: MIT
# A small package to try `snoopi precompile` on: gauges, what they measured, and a table of it.
module Rainfall

export Gauge, Reading, readings, monthly, smooth, trend, ⊕

struct Reading{T<:Real}
    day::Int
    height::T
end

struct Gauge{T<:Real}
    name::String
    readings::Vector{Reading{T}}
end

include("text.jl")

# The rain of two gauges, day by day.
function ⊕(a::Gauge{T}, b::Gauge{T}) where {T}
    sums = Reading{T}[]
    i = j = 1
    while i <= length(a.readings) || j <= length(b.readings)
        x = i <= length(a.readings) ? a.readings[i] : Reading{T}(typemax(Int), zero(T))
        y = j <= length(b.readings) ? b.readings[j] : Reading{T}(typemax(Int), zero(T))
        if x.day == y.day
            push!(sums, Reading{T}(x.day, x.height + y.height))
        else
            push!(sums, x.day < y.day ? x : y)
        end
        i += x.day <= y.day
        j += y.day <= x.day
    end
    return Gauge{T}(string(a.name, " and ", b.name), sums)
end

# Lines of "DAY HEIGHT".
function readings(name, text; separator = ' ', comment = '#')
    found = Reading{Float64}[]
    scanner = Scanner(text)
    while !at_end(scanner)
        skip_spaces!(scanner)
        if peek(scanner) != comment && peek(scanner) != '\n'
            day = scan_number!(scanner)
            skip!(scanner, separator)
            push!(found, Reading{Float64}(Int(day), scan_number!(scanner)))
        end
        skip_line!(scanner)
    end
    return Gauge{Float64}(name, found)
end

# Sums of so many days each.
function monthly(gauge::Gauge{T}; days = 30) where {T}
    sums = T[]
    for reading in gauge.readings
        month = div(reading.day - 1, days) + 1
        while length(sums) < month
            push!(sums, zero(T))
        end
        sums[month] += reading.height
    end
    return sums
end

# The mean over N readings before and behind each.
function smooth(gauge::Gauge{T}, ::Val{N}) where {T,N}
    means = Vector{Float64}(undef, length(gauge.readings))
    for i in 1:length(means)
        total, count = zero(T), 0
        for j in max(1, i - N):min(length(means), i + N)
            total += gauge.readings[j].height
            count += 1
        end
        means[i] = total / count
    end
    return means
end

# Least squares: what it rains more each day.
function trend(gauge::Gauge)
    n = sx = sy = sxx = sxy = 0.0
    for reading in gauge.readings
        x, y = Float64(reading.day), Float64(reading.height)
        n += 1
        sx += x
        sy += y
        sxx += x * x
        sxy += x * y
    end
    return (n * sxy - sx * sy) / (n * sxx - sx * sx)
end

module Tables

import ..Rainfall: Gauge, monthly, put_fixed!, put_padded!, smooth, trend

# A table of a gauge's months, as text.
function table(gauge::Gauge; width = 20, days = 30)
    bytes = UInt8[]
    put_padded!(bytes, gauge.name, width)
    put_padded!(bytes, "mm", 8)
    push!(bytes, UInt8('\n'))
    sums = monthly(gauge; days = days)
    for month in 1:length(sums)
        put_fixed!(bytes, Float64(month), 0, width)
        put_fixed!(bytes, Float64(sums[month]), 1, 8)
        push!(bytes, UInt8('\n'))
    end
    return String(bytes)
end

# A line of what a gauge tells.
function summary_line(gauge::Gauge)
    bytes = UInt8[]
    put_padded!(bytes, "wettest", 20)
    put_fixed!(bytes, maximum_of(smooth(gauge, Val(2))), 2, 8)
    put_padded!(bytes, "trend", 8)
    put_fixed!(bytes, trend(gauge), 3, 8)
    push!(bytes, UInt8('\n'))
    return String(bytes)
end

function maximum_of(values::Vector{Float64})
    most = -Inf
    for value in values
        most = value > most ? value : most
    end
    return most
end

# What `snoopi precompile` wrote for this module, and below for the other.
if isfile(joinpath(@__DIR__, "precompile_Rainfall.Tables.jl"))
    include("precompile_Rainfall.Tables.jl")
    _precompile_()
end

end

if isfile(joinpath(@__DIR__, "precompile_Rainfall.jl"))
    include("precompile_Rainfall.jl")
    _precompile_()
end

end
