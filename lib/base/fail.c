// SPDX-License-Identifier: MIT
// Errors: see fail.h and snoopi/error.h.
#include "fail.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char *snoopi_status_text(snoopi_status status)
{
    switch (status) {
#define STATUS_CASE(name, number, text) \
    case SNOOPI_##name: return text;
        SNOOPI_STATUS_MAP(STATUS_CASE)
#undef STATUS_CASE
    default: return "unknown error";
    }
}

// Cuts a text that filled its buffer before the character that may be there in part only.
static void cut_utf8(char *text, size_t size)
{
    size_t i = size;
    while (i > 0 && ((unsigned char)text[i - 1] & 0xc0u) == 0x80u) {
        i--;
    }
    if (i > 0 && (unsigned char)text[i - 1] >= 0xc0u) {
        text[i - 1] = '\0';
    }
}

int snoopi__fail(snoopi_error *err, snoopi_status status, const char *format, ...)
{
    if (!err) {
        return status;
    }
    const int saved = errno;
    va_list args;
    va_start(args, format);
    const int length = vsnprintf(err->text, sizeof err->text, format, args);
    va_end(args);
    if (length < 0) {
        err->text[0] = '\0';
    } else if ((size_t)length >= sizeof err->text) {
        cut_utf8(err->text, sizeof err->text - 1);
    }
    for (char *c = err->text; *c; c++) {
        if ((unsigned char)*c < 0x20 || *c == 0x7f) {
            *c = '?';
        }
    }
    err->status = status;
    err->sys_errno = status == SNOOPI_E_IO ? saved : 0;
    errno = saved;
    return status;
}

int snoopi__fail_nomem(snoopi_error *err)
{
    return snoopi__fail(err, SNOOPI_E_NOMEM, "%s", snoopi_status_text(SNOOPI_E_NOMEM));
}
