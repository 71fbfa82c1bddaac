# SPDX-License-Identifier: MIT
# The program of docs/tutorial.md: readings of several sensors, summed up. First as it was found, then mended.

module Slow

struct Reading
    sensor::Any # should have been a type
    values::Vector
end

scale(values, factor) = [v * factor for v in values]
spread(values) = maximum(values) - minimum(values)
describe(r::Reading) = string(r.sensor, ": ", spread(scale(r.values, 2)))
report(readings) = [describe(r) for r in readings]

end

module Fast

struct Reading
    sensor::String
    values::Vector{Float64}
end
Reading(sensor, values) = Reading(string(sensor), convert(Vector{Float64}, values))

scale(values, factor) = [v * factor for v in values]
spread(values) = maximum(values) - minimum(values)
describe(r::Reading) = string(r.sensor, ": ", spread(scale(r.values, 2)))
report(readings) = [describe(r) for r in readings]

end

# What comes in: sensors with names and numbers, values of whichever type the device sends.
input() = Any[("north", [1.0, 2.5]), (:south, [1, 2, 4]), (3, Float32[0.5, 8]), ("west", UInt8[1, 9])]
