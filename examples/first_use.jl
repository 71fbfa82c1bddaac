# SPDX-License-Identifier: MIT
# A first session with Julia, as many look: a year of weather is read, grouped, fitted, smoothed and printed with nothing
# but the standard library. It computes for some milliseconds. The seconds it takes are the compiler's, most of them type
# inference: each call below is the first of its kind in this process.
#
#   snoopi record julia examples/first_use.jl
#   snoopi report
using Dates, DelimitedFiles, LinearAlgebra, Printf, SparseArrays, Statistics

# ---- data: four stations, one line a day, as a CSV text ----

struct Station
    name::String
    mean::Float64
    swing::Float64
    noise::Float64
end

const STATIONS = [
    Station("Harbour", 9.5, 6.0, 1.5),
    Station("Valley", 8.0, 11.0, 3.0),
    Station("Plateau", 3.5, 9.0, 2.5),
    Station("Summit", -4.0, 7.5, 3.5),
]

# Julia's own generators change between versions; the same numbers everywhere are wanted here.
mutable struct Noise
    state::UInt64
end
function next!(n::Noise)
    n.state = n.state * 0x5851f42d4c957f2d + 0x14057b7ef767814f
    return (n.state >> 11) / 2.0^53 - 0.5
end

function write_year(io::IO, stations, year)
    noise = Noise(UInt64(year))
    println(io, "date,", join((s.name for s in stations), ','))
    for day in Date(year):Day(1):Date(year, 12, 31)
        season = -cos(2pi * (dayofyear(day) - 15) / daysinyear(day))
        temperatures = [s.mean + s.swing * season + s.noise * next!(noise) for s in stations]
        println(io, day, ',', join((@sprintf("%.2f", t) for t in temperatures), ','))
    end
end

function read_year(text::AbstractString)
    cells, header = readdlm(IOBuffer(text), ','; header = true)
    days = Date.(cells[:, 1])
    values = Float64.(cells[:, 2:end])
    return days, String.(vec(header)[2:end]), values
end

# ---- analysis ----

function by_month(days, values)
    groups = Dict{Int,Vector{Int}}()
    for (row, day) in enumerate(days)
        push!(get!(groups, month(day), Int[]), row)
    end
    return [(month = m, mean = vec(mean(values[rows, :]; dims = 1)), spread = vec(std(values[rows, :]; dims = 1)))
            for (m, rows) in sort(collect(groups); by = first)]
end

"Least squares of a constant and one yearly wave: mean, swing, and the day of the maximum."
function fit_season(days, y)
    phase = 2pi .* dayofyear.(days) ./ daysinyear.(days)
    c = hcat(ones(length(days)), cos.(phase), sin.(phase)) \ y
    warmest = mod(atan(c[3], c[2]), 2pi) / 2pi * length(days)
    return (mean = c[1], swing = hypot(c[2], c[3]), warmest = firstdayofyear(first(days)) + Day(round(Int, warmest)))
end

"The curve that weighs closeness to `y` against its own curvature: a sparse positive definite system."
function smooth(y, weight)
    n = length(y)
    d = spdiagm(0 => ones(n), 1 => fill(-2.0, n - 1), 2 => ones(n - 2))[1:n-2, :]
    return cholesky(Symmetric(sparse(1.0I, n, n) + weight * (d' * d))) \ y
end

function principal(values)
    centred = values .- mean(values; dims = 1)
    share = svd(centred).S .^ 2
    spectrum = eigen(Symmetric(cov(values)))
    return share ./ sum(share), maximum(abs, spectrum.vectors[:, end])
end

function spells(days, y, limit)
    found = Tuple{Date,Int}[]
    start = 0
    for (k, warm) in enumerate([y .> limit; false])
        if warm && start == 0
            start = k
        elseif !warm && start > 0
            push!(found, (days[start], k - start))
            start = 0
        end
    end
    return sort!(found; by = last, rev = true)
end

# ---- printing ----

heading(text) = println('\n', text, '\n', repeat('-', length(text)))

function bar(x, low, high; width = 30)
    filled = clamp(round(Int, width * (x - low) / (high - low)), 0, width)
    return string(repeat("#", filled), repeat(".", width - filled))
end

function report(days, names, values)
    heading("Months (mean of $(join(names, ", ", " and ")))")
    for row in by_month(days, values)
        @printf("%-4s %s  %s\n", monthabbr(row.month),
                join((@sprintf("%6.1f ±%3.1f", m, s) for (m, s) in zip(row.mean, row.spread)), "  "),
                bar(mean(row.mean), -10, 20))
    end

    heading("Seasons")
    for (name, y) in zip(names, eachcol(values))
        fit = fit_season(days, collect(y))
        println(rpad(name, 10), "mean ", lpad(round(fit.mean; digits = 1), 5), "   swing ",
                lpad(round(fit.swing; digits = 1), 5), "   warmest about ", Dates.format(fit.warmest, "d U"))
    end

    heading("Smoothed, first of each quarter")
    curves = mapreduce(y -> smooth(collect(y), 1e4), hcat, eachcol(values))
    for day in filter(d -> d == firstdayofquarter(d), days)
        println(day, "  ", join(lpad.(round.(curves[findfirst(isequal(day), days), :]; digits = 1), 6)))
    end

    heading("Together")
    share, weight = principal(values)
    println("one season explains ", round(Int, 100 * first(share)), " % of all change; its largest weight is ",
            round(weight; digits = 2))
    correlation = cor(values)
    for i in axes(correlation, 1), j in axes(correlation, 2)
        i < j && @printf("%-8s %-8s %.3f\n", names[i], names[j], correlation[i, j])
    end

    heading("Warm spells")
    for (name, y) in zip(names, eachcol(values))
        longest = spells(days, y, quantile(y, 0.75))[1:min(2, end)]
        println(rpad(name, 10), join(("$n days from $(Dates.format(d, "u d"))" for (d, n) in longest), ", "))
    end
end

text = sprint(write_year, STATIONS, 2023)
days, names, values = read_year(text)
println(length(days), " days, ", length(names), " stations, ", count(<(0), values), " readings below zero")
report(days, names, values)
