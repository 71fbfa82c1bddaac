// SPDX-License-Identifier: MIT
// See floats.h. A binary float is m × 2^e, and what lies nearer to it than to its neighbours is an interval whose ends are
// known exactly. The shortest decimal inside it is found with integers of some hundred digits (Steele and White's method, in
// its plainest form): slower than Ryu, but short, exact, and names hold few floats. The form follows base/ryu/shortest.jl.
#include "floats.h"

// --- big natural numbers: enough for 2^1100 × 10^20 ---

enum { BIG_WORDS = 40 };

typedef struct {
    uint32_t word[BIG_WORDS]; /* low first */
} big;

static void big_multiply(big *n, uint32_t factor)
{
    uint64_t carry = 0;
    for (int i = 0; i < BIG_WORDS; i++) {
        carry += (uint64_t)n->word[i] * factor;
        n->word[i] = (uint32_t)carry;
        carry >>= 32;
    }
}

static void big_shift(big *n, unsigned bits)
{
    for (; bits >= 31; bits -= 31) {
        big_multiply(n, 1u << 31);
    }
    big_multiply(n, 1u << bits);
}

static int big_compare(const big *a, const big *b)
{
    for (int i = BIG_WORDS - 1; i >= 0; i--) {
        if (a->word[i] != b->word[i]) {
            return a->word[i] < b->word[i] ? -1 : 1;
        }
    }
    return 0;
}

static big big_sum(const big *a, const big *b)
{
    big sum;
    uint64_t carry = 0;
    for (int i = 0; i < BIG_WORDS; i++) {
        carry += (uint64_t)a->word[i] + b->word[i];
        sum.word[i] = (uint32_t)carry;
        carry >>= 32;
    }
    return sum;
}

// a -= b, where a >= b
static void big_subtract(big *a, const big *b)
{
    int64_t borrow = 0;
    for (int i = 0; i < BIG_WORDS; i++) {
        borrow += (int64_t)a->word[i] - b->word[i];
        a->word[i] = (uint32_t)borrow;
        borrow >>= 32;
    }
}

// --- shortest digits ---

typedef struct {
    char digits[24];
    int n;
    int point; /* the value is 0.DIGITS × 10^point */
} decimal;

// Digits of mantissa × 2^exponent. `is_lowest` tells that the neighbour below is only half as far away as the one above.
static decimal shortest(uint64_t mantissa, int exponent, bool is_lowest)
{
    // All four are scaled so that value = rest/scale, and the half-distances to the neighbours are below/scale and above/scale.
    const bool is_even = mantissa % 2 == 0;
    big rest = {{(uint32_t)mantissa, (uint32_t)(mantissa >> 32)}};
    big scale = {{1}};
    big above = {{1}};
    big below = {{1}};
    big_shift(&rest, is_lowest ? 2 : 1);
    big_shift(&scale, is_lowest ? 2 : 1);
    big_shift(&above, is_lowest ? 1 : 0);
    if (exponent >= 0) {
        big_shift(&rest, (unsigned)exponent);
        big_shift(&above, (unsigned)exponent);
        big_shift(&below, (unsigned)exponent);
    } else {
        big_shift(&scale, (unsigned)-exponent);
    }

    // Bring the upper end of the interval into (1/10, 1] × scale.
    decimal result = {.n = 0, .point = 0};
    for (;;) {
        const big upper = big_sum(&rest, &above);
        const int order = big_compare(&upper, &scale);
        if (is_even ? order < 0 : order <= 0) {
            break;
        }
        big_multiply(&scale, 10);
        result.point++;
    }
    for (;;) {
        big upper = big_sum(&rest, &above);
        big_multiply(&upper, 10);
        const int order = big_compare(&upper, &scale);
        if (is_even ? order >= 0 : order > 0) {
            break;
        }
        big_multiply(&rest, 10);
        big_multiply(&above, 10);
        big_multiply(&below, 10);
        result.point--;
    }

    // Digits, until what is left or what is missing is within the interval.
    for (;;) {
        big_multiply(&rest, 10);
        big_multiply(&above, 10);
        big_multiply(&below, 10);
        int digit = 0;
        while (big_compare(&rest, &scale) >= 0) {
            big_subtract(&rest, &scale);
            digit++;
        }
        const int low_order = big_compare(&rest, &below);
        const big upper = big_sum(&rest, &above);
        const int high_order = big_compare(&upper, &scale);
        const bool is_low = is_even ? low_order <= 0 : low_order < 0;
        const bool is_high = is_even ? high_order >= 0 : high_order > 0;
        if (is_low || is_high) {
            const big twice = big_sum(&rest, &rest);
            const int order = big_compare(&twice, &scale);
            const bool is_up = is_low && is_high ? order > 0 || (order == 0 && digit % 2) : is_high;
            result.digits[result.n++] = (char)('0' + digit + is_up);
            return result;
        }
        result.digits[result.n++] = (char)('0' + digit);
    }
}

// --- form ---

typedef struct {
    bool is_negative;
    int mantissa_bits; /* stored */
    int exponent_bits;
    int max_fixed; /* exponents up to this are written without `e` */
    char exponent_mark;
    const char *suffix; /* of special values: `32` */
    const char *one;    /* of fixed form: `f0` */
    bool wraps;         /* as Float16(…) */
    bool wraps_zero;
} float_form;

static void put_zeros(snoopi__text *out, int n)
{
    for (int i = 0; i < n; i++) {
        snoopi__text_putc(out, '0');
    }
}

// Julia asks besides whether the zeros that a fixed form appends are digits of the number. They are: up to 10^max_fixed every
// integer is a float of its own.
static void put_decimal(snoopi__text *out, const decimal *d, const float_form *form)
{
    const size_t n = (size_t)d->n;
    if (-4 < d->point && d->point <= form->max_fixed) {
        if (d->point <= 0) {
            snoopi__text_puts(out, "0.");
            put_zeros(out, -d->point);
            snoopi__text_put(out, d->digits, n);
        } else if (d->point >= d->n) {
            snoopi__text_put(out, d->digits, n);
            put_zeros(out, d->point - d->n);
            snoopi__text_puts(out, ".0");
        } else {
            snoopi__text_put(out, d->digits, (size_t)d->point);
            snoopi__text_putc(out, '.');
            snoopi__text_put(out, d->digits + d->point, n - (size_t)d->point);
        }
        snoopi__text_puts(out, form->one);
        return;
    }
    snoopi__text_putc(out, d->digits[0]);
    snoopi__text_putc(out, '.');
    snoopi__text_put(out, d->n > 1 ? d->digits + 1 : "0", d->n > 1 ? n - 1 : 1);
    snoopi__text_putc(out, form->exponent_mark);
    snoopi__text_signed(out, d->point - 1);
}

static void put_float(snoopi__text *out, uint64_t bits, const float_form *form)
{
    const uint64_t mantissa_mask = (UINT64_C(1) << form->mantissa_bits) - 1;
    const int max_exponent = (1 << form->exponent_bits) - 1;
    const int biased = (int)(bits >> form->mantissa_bits) & max_exponent;
    const uint64_t stored = bits & mantissa_mask;
    const bool is_negative = bits >> (form->mantissa_bits + form->exponent_bits) & 1;

    if (biased == max_exponent) {
        if (is_negative && !stored) {
            snoopi__text_putc(out, '-');
        }
        snoopi__text_puts(out, stored ? "NaN" : "Inf");
        snoopi__text_puts(out, form->suffix);
        return;
    }
    const bool is_zero = biased == 0 && stored == 0;
    const bool is_wrapped = is_zero ? form->wraps_zero : form->wraps;
    if (is_wrapped) {
        snoopi__text_puts(out, "Float16(");
    }
    if (is_negative) {
        snoopi__text_putc(out, '-');
    }
    if (is_zero) {
        snoopi__text_puts(out, "0.0");
        snoopi__text_puts(out, form->one);
        snoopi__text_puts(out, is_wrapped ? ")" : "");
        return;
    }
    const int bias = (1 << (form->exponent_bits - 1)) - 1 + form->mantissa_bits;
    const uint64_t mantissa = biased ? stored | (mantissa_mask + 1) : stored;
    const int exponent = (biased ? biased : 1) - bias;
    const decimal d = shortest(mantissa, exponent, stored == 0 && biased > 1);
    put_decimal(out, &d, form);
    if (is_wrapped) {
        snoopi__text_putc(out, ')');
    }
}

void snoopi__put_float64(snoopi__text *out, uint64_t bits)
{
    static const float_form form = {.mantissa_bits = 52,
                                    .exponent_bits = 11,
                                    .max_fixed = 6,
                                    .exponent_mark = 'e',
                                    .suffix = "",
                                    .one = ""};
    put_float(out, bits, &form);
}

void snoopi__put_float32(snoopi__text *out, uint32_t bits)
{
    static const float_form form = {.mantissa_bits = 23,
                                    .exponent_bits = 8,
                                    .max_fixed = 6,
                                    .exponent_mark = 'f',
                                    .suffix = "32",
                                    .one = "f0"};
    put_float(out, bits, &form);
}

void snoopi__put_float16(snoopi__text *out, uint16_t bits, bool wraps_zero)
{
    const float_form form = {.mantissa_bits = 10,
                             .exponent_bits = 5,
                             .max_fixed = 3,
                             .exponent_mark = 'e',
                             .suffix = "16",
                             .one = "",
                             .wraps = true,
                             .wraps_zero = wraps_zero};
    put_float(out, bits, &form);
}
