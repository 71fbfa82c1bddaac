// SPDX-License-Identifier: MIT
#ifndef SNOOPI_ERROR_H
#define SNOOPI_ERROR_H

/**
 * @file How libsnoopi fails. A function that can fail returns 0 or a negative snoopi_status, and
 * fills the caller's snoopi_error (which may be NULL) with one line that says what and where.
 * Nothing is kept in globals.
 */

#ifdef __cplusplus
#define SNOOPI_BEGIN_DECLS extern "C" {
#define SNOOPI_END_DECLS   }
#else
#define SNOOPI_BEGIN_DECLS
#define SNOOPI_END_DECLS
#endif

#if defined(__GNUC__)
#define SNOOPI_API        __attribute__((visibility("default")))
#define SNOOPI_MUST_CHECK __attribute__((warn_unused_result))
#else
#define SNOOPI_API
#define SNOOPI_MUST_CHECK
#endif

SNOOPI_BEGIN_DECLS

#define SNOOPI_STATUS_MAP(X)               \
    X(OK, 0, "no error")                   \
    X(E_NOMEM, -1, "out of memory")        \
    X(E_IO, -2, "input/output error")      \
    X(E_FORMAT, -3, "malformed trace")     \
    X(E_VERSION, -4, "newer trace format") \
    X(E_INVALID, -5, "bad argument")

typedef enum {
#define SNOOPI_STATUS_ENUM(name, number, text) SNOOPI_##name = (number),
    SNOOPI_STATUS_MAP(SNOOPI_STATUS_ENUM)
#undef SNOOPI_STATUS_ENUM
} snoopi_status;

/** What went wrong: one line of text, without the name of the program and without a newline. */
typedef struct {
    snoopi_status status;
    int sys_errno; /* errno at the failure, 0 if none */
    char text[240];
} snoopi_error;

/** Fixed words for a status; never NULL. */
SNOOPI_API const char *snoopi_status_text(snoopi_status status);

SNOOPI_END_DECLS
#endif
