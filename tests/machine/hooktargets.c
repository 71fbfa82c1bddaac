// SPDX-License-Identifier: MIT
#include "hooktargets.h"

long target_sum(long a, long b, long c, long d, long e, target_back *back)
{
    const long first = back(a);
    const long second = back(b);
    const long third = back(c);
    return first + 10 * second + 100 * third + 1000 * back(d) + 10000 * back(e) + a + b + c + d + e;
}

target_pair target_two(long a, long b, target_back *back)
{
    const long first = back(a);
    const long second = back(b);
    return (target_pair){first + b, second - a};
}

target_large target_memory(long a, long b, target_back *back)
{
    const long first = back(a);
    const long second = back(b);
    return (target_large){{first, second, a, b, first + a, second + b}};
}

long target_deep(long depth, long b, target_back *back)
{
    const long below = depth == 0 ? back(b) : target_deep(depth - 1, b + 1, back);
    return below + depth * back(0) + b;
}

#if defined(__aarch64__)
double target_vectors(double a, double b, double c, double d, double e, double f, double g,
                      double h, long x, long y, long z, long u, long v, long w, long t,
                      target_back *back)
{
    const long first = back(x + 2 * y + 3 * z + 4 * u + 5 * v + 6 * w + 7 * t);
    const double sum = a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * h;
    return sum + (double)back(first);
}
#endif
