// SPDX-License-Identifier: MIT
// The driver of all formats, and the file that they go to.
#include <snoopi/export.h>

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fail.h"
#include "exporter.h"
#include "tree/path.h"
#include "tree/select.h"

static const snoopi__exporter *const exporters[] = {
    [SNOOPI_EXPORT_FOLDED] = &snoopi__export_folded,
    [SNOOPI_EXPORT_JSON] = &snoopi__export_json,
    [SNOOPI_EXPORT_JSONL] = &snoopi__export_jsonl,
    [SNOOPI_EXPORT_CSV] = &snoopi__export_csv,
    [SNOOPI_EXPORT_CHROME] = &snoopi__export_chrome,
    [SNOOPI_EXPORT_SPEEDSCOPE] = &snoopi__export_speedscope,
    [SNOOPI_EXPORT_PPROF] = &snoopi__export_pprof,
    [SNOOPI_EXPORT_SVG] = &snoopi__export_svg,
    [SNOOPI_EXPORT_HTML] = &snoopi__export_html,
};
enum { N_EXPORTERS = sizeof exporters / sizeof *exporters };

const char *snoopi_export_format_name(int format)
{
    return format >= 0 && format < N_EXPORTERS ? exporters[format]->name : NULL;
}

const char *snoopi_weight_name(int weight)
{
    static const char *const names[] = {"time", "count"};
    return weight >= 0 && weight < 2 ? names[weight] : NULL;
}

const char *snoopi__export_next_flag(uint32_t *flags)
{
    while (*flags != 0) {
        const uint32_t bit = *flags & (0 - *flags);
        *flags &= ~bit;
        if (snoopi_flag_name(bit)) {
            return snoopi_flag_name(bit);
        }
    }
    return NULL;
}

// The frames that are exported, with the path above the current one.
typedef struct {
    snoopi__select select;
    snoopi__path path;
} frames;

static int fail_format(const snoopi__export *x, snoopi_error *err)
{
    if (x->error.status == SNOOPI_OK) {
        return snoopi__fail_nomem(err);
    }
    if (err) {
        *err = x->error;
    }
    return x->error.status;
}

static int put_frame(snoopi__export *x, snoopi__put_frame *put, frames *f,
                     const snoopi_frame *frame, snoopi_error *err)
{
    uint32_t key = SNOOPI__KEY_NONE;
    while (snoopi__path_has_left(&f->path, frame->depth)) {
        (void)snoopi__path_pop(&f->path);
    }
    const int status = snoopi__select_frame(&f->select, frame, &key, err);
    if (status < 0 || key == SNOOPI__KEY_NONE || frame->total_ns < x->options->tmin_ns) {
        return status;
    }
    const snoopi__export_frame exported = {
        .frame = frame,
        .instance = snoopi_trace_instance(x->trace, frame->instance),
        .key = &f->select.keys.keys[key],
        .number = key,
        .parent = f->path.n > 0 ? (int64_t)f->path.items[f->path.n - 1].number : -1,
        .depth = (uint32_t)f->path.n,
    };
    if (!exported.instance || !snoopi__path_push(&f->path, frame->depth, frame->id)) {
        return snoopi__fail_nomem(err);
    }
    put(x, &exported);
    return x->has_failed ? fail_format(x, err) : SNOOPI_OK;
}

int snoopi__export_frames(snoopi__export *x, void (*begin)(snoopi__export *x),
                          snoopi__put_frame *put, snoopi_totals *totals,
                          snoopi_totals *scope_totals, snoopi_error *err)
{
    frames f = {0};
    snoopi_scan *scan = NULL;
    snoopi_frame frame;

    int status = snoopi__select_init(&f.select, x->trace, x->options->by, NULL, false,
                                     &x->options->filter, err);
    if (status == SNOOPI_OK) {
        status = snoopi_scan_open(&scan, x->trace, &x->options->scope, err);
    }
    if (status == SNOOPI_OK && begin) {
        begin(x);
    }
    while (status == SNOOPI_OK && (status = snoopi_scan_next(scan, &frame, err)) == 1) {
        status = put_frame(x, put, &f, &frame, err);
        if (ferror(x->out)) { // what could not be written will not be missed by walking on
            break;
        }
    }
    if (status == SNOOPI_OK) {
        *totals = *snoopi_scan_totals(scan);
        *scope_totals = *snoopi_scan_scope_totals(scan);
    }
    snoopi_scan_close(scan);
    snoopi__select_clear(&f.select);
    snoopi__path_clear(&f.path);
    return status;
}

static int put_frames(snoopi__export *x, const snoopi__exporter *exporter, snoopi_error *err)
{
    snoopi_totals totals = {0};
    snoopi_totals scope = {0};
    int status = snoopi__export_frames(x, exporter->begin, exporter->frame, &totals, &scope, err);
    if (status == SNOOPI_OK && exporter->end) {
        exporter->end(x, &totals, &scope);
    }
    if (exporter->clear) {
        exporter->clear(x);
    }
    if (status == SNOOPI_OK && x->has_failed) {
        status = fail_format(x, err);
    }
    return status;
}

int snoopi_export_stream(snoopi_trace *trace, FILE *out, const snoopi_export_options *options,
                         snoopi_error *err)
{
    static const snoopi_export_options defaults = SNOOPI_EXPORT_INIT;
    const snoopi_export_options *const o = options ? options : &defaults;
    if ((int)o->format < 0 || (int)o->format >= N_EXPORTERS) {
        return snoopi__fail(err, SNOOPI_E_INVALID, "there is no export format %d", (int)o->format);
    }
    if (o->by < SNOOPI_BY_INSTANCE || o->by > SNOOPI_BY_FILE) {
        return snoopi__fail(err, SNOOPI_E_INVALID, "frames have no names by %s",
                            snoopi_by_name((int)o->by) ? snoopi_by_name((int)o->by) : "that");
    }
    if (o->base && o->format != SNOOPI_EXPORT_SVG && o->format != SNOOPI_EXPORT_HTML) {
        return snoopi__fail(err, SNOOPI_E_INVALID,
                            "%s does not compare recordings; svg and html do",
                            snoopi_export_format_name((int)o->format));
    }
    if (o->has_stacks && o->format != SNOOPI_EXPORT_PPROF) {
        return snoopi__fail(err, SNOOPI_E_INVALID, "%s has no place for stacks; pprof has",
                            snoopi_export_format_name((int)o->format));
    }
    const snoopi__exporter *const exporter = exporters[o->format];
    snoopi__export x = {.trace = trace, .options = o, .out = out};

    errno = 0;
    const int status = exporter->whole ? exporter->whole(&x, err) : put_frames(&x, exporter, err);
    if (status < 0) {
        return status;
    }
    if (fflush(out) != 0 || ferror(out)) {
        return snoopi__fail(err, SNOOPI_E_IO, "cannot write: %s",
                            errno ? strerror(errno) : "error of the stream");
    }
    return SNOOPI_OK;
}

// A new file beside `path`, as open(2) would make it. *temporary is to be freed.
static FILE *open_beside(const char *path, char **temporary)
{
    if (asprintf(temporary, "%s.XXXXXX", path) < 0) {
        *temporary = NULL;
        errno = ENOMEM;
        return NULL;
    }
    const int fd = mkostemp(*temporary, O_CLOEXEC);
    if (fd < 0) {
        return NULL;
    }
    const mode_t mask = umask(0);
    (void)umask(mask);
    FILE *const out = fchmod(fd, 0666 & ~mask) == 0 ? fdopen(fd, "w") : NULL;
    if (!out) {
        const int reason = errno;
        (void)close(fd);
        (void)unlink(*temporary);
        errno = reason;
    }
    return out;
}

static int fail_io(const char *path, snoopi_error *err)
{
    return snoopi__fail(err, SNOOPI_E_IO, "%s: %s", path, strerror(errno));
}

static int export_directly(snoopi_trace *trace, const char *path,
                           const snoopi_export_options *options, snoopi_error *err)
{
    FILE *const out = fopen(path, "we");
    if (!out) {
        return fail_io(path, err);
    }
    const int status = snoopi_export_stream(trace, out, options, err);
    if (fclose(out) != 0 && status == SNOOPI_OK) {
        return fail_io(path, err);
    }
    return status;
}

int snoopi_export_file(snoopi_trace *trace, const char *path, const snoopi_export_options *options,
                       snoopi_error *err)
{
    struct stat s;
    if (stat(path, &s) == 0 && !S_ISREG(s.st_mode)) {
        return export_directly(trace, path, options, err);
    }
    // A symbolic link stays one: what it points to is replaced.
    char *const real = realpath(path, NULL);
    const char *const target = real ? real : path;
    char *temporary = NULL;
    int status;

    FILE *out = open_beside(target, &temporary);
    if (!out) {
        status = fail_io(target, err);
        goto out;
    }
    status = snoopi_export_stream(trace, out, options, err);
    if (fclose(out) != 0 && status == SNOOPI_OK) {
        status = fail_io(target, err);
    }
    if (status == SNOOPI_OK && rename(temporary, target) != 0) {
        status = fail_io(target, err);
    }
    if (status != SNOOPI_OK) {
        (void)unlink(temporary);
    }
out:
    free(temporary);
    free(real);
    return status;
}
