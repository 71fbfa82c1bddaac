// SPDX-License-Identifier: MIT
// Values: parameters of types, and arguments that were constant. After the show methods of Base that values of isbits types
// can meet; a type of a package that defines its own show is shown as Base's default does. See printer.h.
#include <string.h>

#include "floats.h"
#include "printer.h"
#include "symbols.h"

// --- numbers ---

__extension__ typedef unsigned __int128 wide;

static uint64_t load(const def_node *bits, uint32_t from, uint32_t size)
{
    uint64_t value = 0;
    for (uint32_t i = 0; i < size && i < 8 && from + i < bits->n; i++) {
        value |= (uint64_t)bits->bits[from + i] << (8 * i);
    }
    return value;
}

static void put_hex_bytes(snoopi__text *out, const def_node *bits)
{
    static const char digits[] = "0123456789abcdef";
    snoopi__text_puts(out, "0x");
    for (uint32_t i = bits->n; i-- > 0;) {
        snoopi__text_putc(out, digits[bits->bits[i] >> 4]);
        snoopi__text_putc(out, digits[bits->bits[i] & 15]);
    }
}

static bool is_negative(const def_node *bits)
{
    return bits->n > 0 && bits->bits[bits->n - 1] & 0x80;
}

static void put_decimal(snoopi__text *out, wide value)
{
    char digits[40];
    size_t at = sizeof digits;
    do {
        digits[--at] = (char)('0' + (int)(value % 10));
        value /= 10;
    } while (value);
    snoopi__text_put(out, digits + at, sizeof digits - at);
}

// A signed integer of up to 16 bytes, without its sign.
static void put_magnitude(snoopi__text *out, const def_node *bits)
{
    wide value = (wide)load(bits, 8, 8) << 64 | load(bits, 0, 8);
    if (is_negative(bits)) {
        if (bits->n < 16) {
            value |= ~(wide)0 << (8 * bits->n);
        }
        value = -value;
    }
    put_decimal(out, value);
}

typedef enum { OTHER, BOOL, CHAR, SIGNED, UNSIGNED, FLOAT } number_kind;

static const struct {
    const char *name;
    number_kind kind;
    uint32_t size;
} number_types[] = {
    {"Int64", SIGNED, 8},   {"Bool", BOOL, 1},         {"Char", CHAR, 4},
    {"UInt8", UNSIGNED, 1}, {"Float64", FLOAT, 8},     {"Float32", FLOAT, 4},
    {"Int32", SIGNED, 4},   {"UInt64", UNSIGNED, 8},   {"UInt32", UNSIGNED, 4},
    {"Int8", SIGNED, 1},    {"Int16", SIGNED, 2},      {"UInt16", UNSIGNED, 2},
    {"Int128", SIGNED, 16}, {"UInt128", UNSIGNED, 16}, {"Float16", FLOAT, 2},
};

static number_kind kind_of(const snoopi__defs *defs, const def_node *bits)
{
    for (size_t i = 0; i < sizeof number_types / sizeof number_types[0]; i++) {
        if (number_types[i].size == bits->n &&
            snoopi__is_type(defs, bits->a, "Core", number_types[i].name)) {
            return number_types[i].kind;
        }
    }
    return OTHER;
}

// `without_sign`: as if the number were positive.
static void put_float(const snoopi__rules *rules, snoopi__text *out, const def_node *bits,
                      bool without_sign)
{
    uint64_t value = load(bits, 0, bits->n);
    if (without_sign) {
        value &= ~(UINT64_C(1) << (8 * bits->n - 1));
    }
    switch (bits->n) {
    case 2: snoopi__put_float16(out, (uint16_t)value, rules->wraps_float16_zero); break;
    case 4: snoopi__put_float32(out, (uint32_t)value); break;
    default: snoopi__put_float64(out, value); break;
    }
}

static void show_bits(snoopi__printer *printer, const printer_task *task, const def_node *bits)
{
    snoopi__text *out = printer->out;
    switch (kind_of(printer->defs, bits)) {
    case BOOL: snoopi__text_puts(out, bits->bits[0] & 1 ? "true" : "false"); return;
    case CHAR: snoopi__put_char(printer->rules->syntax, out, (uint32_t)load(bits, 0, 4)); return;
    case SIGNED:
        snoopi__text_puts(out, is_negative(bits) ? "-" : "");
        put_magnitude(out, bits);
        return;
    case UNSIGNED: put_hex_bytes(out, bits); return;
    case FLOAT: put_float(printer->rules, out, bits, false); return;
    case OTHER: break;
    }
    const bool has_at =
        !printer->rules->calls_pointers && snoopi__is_type(printer->defs, bits->a, "Core", "Ptr");
    snoopi__push_text(printer, has_at ? "" : ")");
    snoopi__push_task(printer, (printer_task){.op = TASK_HEX, .node = task->node});
    snoopi__push_text(printer, has_at ? " @" : "(");
    snoopi__push_show(printer, bits->a, task->depth);
}

// --- composite values ---

// A type that Base has, or Core in later versions.
static bool is_base_type(const snoopi__defs *defs, const def_typename *tn, const char *name)
{
    return snoopi__typename_is(defs, tn, "Base", name) ||
           snoopi__typename_is(defs, tn, "Core", name);
}

// Whether `value` is of exactly the type `type`, as far as the graph tells.
static bool is_of_type(snoopi__printer *printer, uint32_t value, uint32_t type)
{
    const def_node *node = snoopi__node(printer->defs, value);
    switch (node->form) {
    case WIRE_FORM_BITS:
    case WIRE_FORM_STRUCT:
    case WIRE_FORM_SINGLETON:
    case WIRE_FORM_ENUM:
    case WIRE_FORM_OPAQUE: return snoopi__is_egal(printer->graph, node->a, type);
    case WIRE_FORM_SYMBOL: return snoopi__is_type(printer->defs, type, "Core", "Symbol");
    case WIRE_FORM_TEXT: return snoopi__is_type(printer->defs, type, "Core", "String");
    case WIRE_FORM_MODULE: return snoopi__is_type(printer->defs, type, "Core", "Module");
    case WIRE_FORM_DATATYPE: return snoopi__is_type(printer->defs, type, "Core", "DataType");
    case WIRE_FORM_UNIONALL: return snoopi__is_type(printer->defs, type, "Core", "UnionAll");
    case WIRE_FORM_UNION: return snoopi__is_type(printer->defs, type, "Core", "Union");
    case WIRE_FORM_CONST_TYPE: return is_of_type(printer, node->a, type);
    default: return false;
    }
}

static const def_typename *type_of(const snoopi__printer *printer, const def_node *value)
{
    return snoopi__typename_of(printer->defs, value->a);
}

static void push_fields(snoopi__printer *printer, const printer_task *task, task_op op)
{
    printer_task fields = *task;
    fields.op = (uint8_t)op;
    fields.index = 0;
    snoopi__push_task(printer, fields);
}

static void show_tuple(snoopi__printer *printer, const printer_task *task, const def_node *tuple)
{
    snoopi__text_putc(printer->out, '(');
    snoopi__push_text(printer, tuple->n == 1 ? ",)" : ")");
    push_fields(printer, task, TASK_FIELDS);
}

static void show_default(snoopi__printer *printer, const printer_task *task, const def_node *value)
{
    snoopi__push_text(printer, ")");
    push_fields(printer, task, TASK_FIELDS);
    snoopi__push_text(printer, "(");
    snoopi__push_show(printer, value->a, task->depth);
}

// The `i`-th parameter of a value's type; 0 if there is none.
static uint32_t type_parameter(const snoopi__printer *printer, const def_node *value, uint32_t i)
{
    const def_node *type = snoopi__node(printer->defs, value->a);
    return type->form == WIRE_FORM_DATATYPE && i < type->n ? type->kids[i] : 0;
}

static bool has_tight_fields(snoopi__printer *printer, const def_node *value, uint32_t types)
{
    const def_node *tuple = snoopi__node(printer->defs, types);
    if (tuple->form != WIRE_FORM_DATATYPE || tuple->n != value->n) {
        return false;
    }
    for (uint32_t i = 0; i < value->n; i++) {
        if (!is_of_type(printer, value->kids[i], tuple->kids[i])) {
            return false;
        }
    }
    return true;
}

static void show_named_tuple(snoopi__printer *printer, const printer_task *task,
                             const def_node *value)
{
    if (value->n == 0) {
        snoopi__text_puts(printer->out, "NamedTuple()");
        return;
    }
    if (has_tight_fields(printer, value, type_parameter(printer, value, 1))) {
        snoopi__text_putc(printer->out, '(');
        snoopi__push_text(printer, value->n == 1 ? ",)" : ")");
        push_fields(printer, task, TASK_NAMED_FIELDS);
        return;
    }
    snoopi__push_text(printer, value->n == 1 ? ",))" : "))");
    push_fields(printer, task, TASK_FIELDS);
    snoopi__push_text(printer, "((");
    snoopi__push_show(printer, value->a, task->depth);
}

static bool is_tight_pair(snoopi__printer *printer, const def_node *value)
{
    return value->form == WIRE_FORM_STRUCT && value->n == 2 &&
           is_base_type(printer->defs, type_of(printer, value), "Pair") &&
           is_of_type(printer, value->kids[0], type_parameter(printer, value, 0)) &&
           is_of_type(printer, value->kids[1], type_parameter(printer, value, 1));
}

// A global function that is shown by its name alone; NULL for other values.
static const def_typename *function_of(const snoopi__printer *printer, const def_node *value)
{
    const def_typename *tn = type_of(printer, value);
    const unsigned both = WIRE_TN_FUNCTION | WIRE_TN_GLOBAL_FUNCTION;
    return value->form == WIRE_FORM_SINGLETON && (tn->flags & both) == both ? tn : NULL;
}

// !Base.isdelimited
static bool needs_parentheses(snoopi__printer *printer, uint32_t value)
{
    const def_node *node = snoopi__node(printer->defs, value);
    const def_typename *function = function_of(printer, node);
    if (function) {
        const def_string *name = snoopi__string(printer->defs, function->mt_name);
        return snoopi__is_operator(printer->rules->syntax, name->text, name->size);
    }
    return is_tight_pair(printer, node);
}

static void push_pair_part(snoopi__printer *printer, const printer_task *task, uint32_t value)
{
    const bool is_open = needs_parentheses(printer, value);
    snoopi__push_text(printer, is_open ? ")" : "");
    snoopi__push_show(printer, value, task->depth);
    snoopi__push_text(printer, is_open ? "(" : "");
}

// Whether a value is a Rational of two numbers.
static bool is_rational(const snoopi__printer *printer, const def_node *value)
{
    return value->form == WIRE_FORM_STRUCT && value->n == 2 &&
           snoopi__typename_is(printer->defs, type_of(printer, value), "Base", "Rational") &&
           snoopi__node(printer->defs, value->kids[0])->form == WIRE_FORM_BITS;
}

// Base.show(::Complex), for parts that are numbers of Core or their Rationals.
static bool show_complex(snoopi__printer *printer, const printer_task *task, const def_node *value)
{
    const def_node *imaginary = snoopi__node(printer->defs, value->kids[1]);
    const def_node *real = snoopi__node(printer->defs, value->kids[0]);
    const bool is_ratio = is_rational(printer, imaginary);
    if (is_ratio) {
        imaginary = snoopi__node(printer->defs, imaginary->kids[0]); // it has the sign
    } else if (imaginary->form != WIRE_FORM_BITS || real->form != WIRE_FORM_BITS) {
        return false;
    }
    const number_kind kind = kind_of(printer->defs, imaginary);
    if (kind == BOOL) {
        if (imaginary->bits[0] & 1 && !(real->bits[0] & 1)) {
            snoopi__text_puts(printer->out, "im");
            return true;
        }
        snoopi__text_puts(printer->out, "Complex(");
        snoopi__push_text(printer, ")");
        snoopi__push_show(printer, value->kids[1], task->depth);
        snoopi__push_text(printer, ",");
        snoopi__push_show(printer, value->kids[0], task->depth);
        return true;
    }
    bool is_finite = true;
    bool is_nan = false;
    if (kind == FLOAT) {
        const uint64_t mask = imaginary->n == 2   ? 0x7c00
                              : imaginary->n == 4 ? 0x7f800000
                                                  : UINT64_C(0x7ff0000000000000);
        const uint64_t bits = load(imaginary, 0, imaginary->n);
        is_finite = (bits & mask) != mask;
        is_nan = !is_finite && bits & ((mask & -mask) - 1);
    } else if (kind != SIGNED && kind != UNSIGNED) {
        return false;
    }
    const bool is_minus = kind != UNSIGNED && is_negative(imaginary) && !is_nan;
    snoopi__push_text(printer, is_finite && !is_ratio ? "im" : "*im");
    snoopi__push_task(printer, (printer_task){.op = is_minus ? TASK_MAGNITUDE : TASK_SHOW,
                                              .node = value->kids[1],
                                              .depth = task->depth});
    snoopi__push_text(printer, is_minus ? " - " : " + ");
    snoopi__push_show(printer, value->kids[0], task->depth);
    return true;
}

static void push_joined(snoopi__printer *printer, const printer_task *task, const def_node *value,
                        const char *separator)
{
    for (uint32_t i = value->n; i-- > 0;) {
        snoopi__push_show(printer, value->kids[i], task->depth);
        snoopi__push_text(printer, i > 0 ? separator : "");
    }
}

static void put_uuid(const snoopi__printer *printer, const def_typename *tn, const def_node *bits)
{
    static const char digits[] = "0123456789abcdef";
    snoopi__text *out = printer->out;
    if (printer->rules->shows_type_of_uuid && !(tn->flags & WIRE_TN_VISIBLE)) {
        snoopi__put_module_prefix(out, printer->defs, tn->module);
    }
    snoopi__text_puts(out, "UUID(\"");
    for (uint32_t i = 0; i < 16; i++) {
        if (i == 4 || i == 6 || i == 8 || i == 10) {
            snoopi__text_putc(out, '-');
        }
        snoopi__text_putc(out, digits[bits->bits[15 - i] >> 4]);
        snoopi__text_putc(out, digits[bits->bits[15 - i] & 15]);
    }
    snoopi__text_puts(out, "\")");
}

// Types of Base that have a show method of their own. False: Base's default.
static bool show_known(snoopi__printer *printer, const printer_task *task, const def_node *value,
                       const def_typename *tn)
{
    const snoopi__defs *defs = printer->defs;
    if (is_tight_pair(printer, value)) {
        push_pair_part(printer, task, value->kids[1]);
        snoopi__push_text(printer, " => ");
        push_pair_part(printer, task, value->kids[0]);
    } else if (value->n == 2 && snoopi__typename_is(defs, tn, "Base", "Rational")) {
        push_joined(printer, task, value, "//");
    } else if (value->n == 2 && snoopi__typename_is(defs, tn, "Base", "Complex")) {
        return show_complex(printer, task, value);
    } else if ((value->n == 2 && snoopi__typename_is(defs, tn, "Base", "UnitRange")) ||
               (value->n == 3 && snoopi__typename_is(defs, tn, "Base", "StepRange"))) {
        push_joined(printer, task, value, ":");
    } else if (value->n == 1 && snoopi__typename_is(defs, tn, "Base", "OneTo")) {
        snoopi__text_puts(printer->out, "Base.OneTo(");
        snoopi__push_text(printer, ")");
        snoopi__push_show(printer, value->kids[0], task->depth);
    } else if (value->n == 1 && snoopi__typename_is(defs, tn, "Base", "Some")) {
        snoopi__text_puts(printer->out, "Some(");
        snoopi__push_text(printer, ")");
        snoopi__push_show(printer, value->kids[0], task->depth);
    } else if (value->n == 1 && snoopi__typename_is(defs, tn, "Base", "CartesianIndex")) {
        snoopi__text_puts(printer->out, "CartesianIndex");
        snoopi__push_show(printer, value->kids[0], task->depth);
    } else if (value->n == 1 && snoopi__typename_is(defs, tn, "Base", "UUID") &&
               snoopi__node(defs, value->kids[0])->n == 16) {
        put_uuid(printer, tn, snoopi__node(defs, value->kids[0]));
    } else {
        return false;
    }
    return true;
}

static void show_struct(snoopi__printer *printer, const printer_task *task, const def_node *value)
{
    const def_typename *tn = type_of(printer, value);
    if (tn->flags & WIRE_TN_TUPLE) {
        show_tuple(printer, task, value);
    } else if (tn->flags & WIRE_TN_NAMEDTUPLE) {
        show_named_tuple(printer, task, value);
    } else if (!show_known(printer, task, value, tn)) {
        show_default(printer, task, value);
    }
}

static void put_function_name(snoopi__printer *printer, uint32_t string)
{
    const def_string *name = snoopi__string(printer->defs, string);
    if (printer->rules->quotes_functions) {
        snoopi__put_name(printer->rules->syntax, printer->out, name->text, name->size);
    } else {
        snoopi__text_put(printer->out, name->text, name->size);
    }
}

static void show_singleton(snoopi__printer *printer, const printer_task *task,
                           const def_node *value)
{
    const snoopi__defs *defs = printer->defs;
    const def_typename *tn = type_of(printer, value);
    if (function_of(printer, value)) {
        if (!(printer->rules->shows_visible_functions ? tn->flags & WIRE_TN_MT_VISIBLE
                                                      : snoopi__is_exported(tn))) {
            snoopi__put_module_prefix(printer->out, defs, tn->module);
        }
        put_function_name(printer, tn->mt_name);
    } else if (snoopi__typename_is(defs, tn, "Core", "Nothing")) {
        snoopi__text_puts(printer->out, "nothing");
    } else if (snoopi__typename_is(defs, tn, "Base", "Missing")) {
        snoopi__text_puts(printer->out, "missing");
    } else if (snoopi__typename_is(defs, tn, "Core", "TypeofBottom")) {
        snoopi__text_puts(printer->out, "Union{}");
    } else if (snoopi__typename_is(defs, tn, "Base", "Irrational")) {
        snoopi__put_string(printer, snoopi__node(defs, type_parameter(printer, value, 0))->a);
    } else if (tn->flags & WIRE_TN_TUPLE && snoopi__node(defs, value->a)->n == 0) {
        snoopi__text_puts(printer->out, "()");
    } else if (tn->flags & WIRE_TN_NAMEDTUPLE) {
        snoopi__text_puts(printer->out, "NamedTuple()");
    } else {
        snoopi__push_text(printer, "()");
        snoopi__push_show(printer, value->a, task->depth);
    }
}

// A value of an Enum is shown by its name; an intrinsic function has a type of Core, and shows as one of its module.
static void show_enum(snoopi__printer *printer, const def_node *value)
{
    const def_typename *tn = type_of(printer, value);
    if (snoopi__typename_is(printer->defs, tn, "Core", "IntrinsicFunction")) {
        snoopi__text_puts(printer->out, "Core.Intrinsics.");
    } else if (!(value->flags & WIRE_ENUM_VISIBLE)) {
        snoopi__put_module_prefix(printer->out, printer->defs, tn->module);
    }
    snoopi__put_string(printer, value->b);
}

static void show_text(snoopi__printer *printer, const def_node *value)
{
    const def_string *text = snoopi__string(printer->defs, value->a);
    snoopi__text_putc(printer->out, '"');
    snoopi__put_escaped(printer->rules->syntax, printer->out, text->text, text->size);
    snoopi__text_puts(printer->out,
                      value->whole_length > text->size ? SNOOPI__ELLIPSIS "\"" : "\"");
}

void snoopi__show_value(snoopi__printer *printer, const printer_task *task)
{
    const snoopi__defs *defs = printer->defs;
    const def_node *value = snoopi__node(defs, task->node);
    switch (value->form) {
    case WIRE_FORM_BITS: show_bits(printer, task, value); break;
    case WIRE_FORM_SYMBOL: {
        const def_string *name = snoopi__string(defs, value->a);
        snoopi__put_symbol(printer->rules->syntax, printer->out, name->text, name->size);
        break;
    }
    case WIRE_FORM_TEXT: show_text(printer, value); break;
    case WIRE_FORM_STRUCT: show_struct(printer, task, value); break;
    case WIRE_FORM_SINGLETON: show_singleton(printer, task, value); break;
    case WIRE_FORM_OPAQUE:
    case WIRE_FORM_PARTIAL:
        snoopi__text_puts(printer->out, "::");
        snoopi__push_show(printer, value->a, task->depth);
        break;
    case WIRE_FORM_MODULE: snoopi__put_module(printer->out, defs, value->a); break;
    case WIRE_FORM_CONST_TYPE: snoopi__push_show(printer, value->a, task->depth); break;
    case WIRE_FORM_ENUM: show_enum(printer, value); break;
    default: snoopi__text_puts(printer->out, SNOOPI__ELLIPSIS); break; // CUT, and forms to come
    }
}

static void do_fields(snoopi__printer *printer, const printer_task *task)
{
    const def_node *value = snoopi__node(printer->defs, task->node);
    if (task->index >= value->n) {
        return;
    }
    if (task->index > 0) {
        snoopi__text_puts(printer->out, ", ");
    }
    if (task->op == TASK_NAMED_FIELDS) {
        const def_node *names = snoopi__node(printer->defs, type_parameter(printer, value, 0));
        if (task->index < names->n && names->form == WIRE_FORM_STRUCT) {
            snoopi__put_string(printer, snoopi__node(printer->defs, names->kids[task->index])->a);
        }
        snoopi__text_puts(printer->out, " = ");
    }
    printer_task rest = *task;
    rest.index++;
    snoopi__push_task(printer, rest);
    snoopi__push_show(printer, value->kids[task->index], task->depth);
}

void snoopi__do_value_task(snoopi__printer *printer, const printer_task *task)
{
    const def_node *node = snoopi__node(printer->defs, task->node);
    switch (task->op) {
    case TASK_FIELDS:
    case TASK_NAMED_FIELDS: do_fields(printer, task); break;
    case TASK_HEX: put_hex_bytes(printer->out, node); break;
    case TASK_MAGNITUDE:
        if (node->form == WIRE_FORM_STRUCT) {
            snoopi__push_show(printer, node->kids[1], task->depth);
            snoopi__push_text(printer, "//");
            snoopi__push_task(printer, (printer_task){.op = TASK_MAGNITUDE, .node = node->kids[0]});
        } else if (kind_of(printer->defs, node) == FLOAT) {
            put_float(printer->rules, printer->out, node, true);
        } else {
            put_magnitude(printer->out, node);
        }
        break;
    default: break;
    }
}
