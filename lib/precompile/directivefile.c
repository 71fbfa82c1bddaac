// SPDX-License-Identifier: MIT
// Files of directives, one for each module: put together, read again by the grammar, written. See snoopi/precompile.h.
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "advice/findings.h"
#include "base/fail.h"
#include "directives.h"
#include "expression.h"
#include "format/tempfile.h"
#include "grammar.h"

static const char *package_name(const snoopi_precompile *p, uint16_t package)
{
    return snoopi__defs_text(p->defs, p->defs->modules[p->packages.root[package]].name);
}

// The variables that hold modules, each once.
static void put_variables(const snoopi_precompile *p, const snoopi__module_file *m,
                          const snoopi__package_set *used, snoopi__text *out)
{
    const uint16_t own = snoopi__package_number(&p->packages, m->module);
    for (uint16_t i = 1; i < p->packages.n; i++) {
        if (!snoopi__package_in_set(used, i)) {
            continue;
        }
        const char *name = package_name(p, i);
        snoopi__text_puts(out, "    ");
        snoopi__text_puts(out, name);
        if (i == own) {
            snoopi__text_puts(out, " = Base.moduleroot(@__MODULE__)\n");
        } else {
            snoopi__text_puts(out, " = _precompile_package_(\"");
            snoopi__text_puts(out, name);
            snoopi__text_puts(out, "\")\n");
        }
    }
}

static void put_directive(const snoopi_precompile *p, const snoopi__module_file *m,
                          const snoopi__directive *d, snoopi__text *out)
{
    char time[SNOOPI__TIME_SIZE];
    const uint16_t own = snoopi__package_number(&p->packages, m->module);
    snoopi__text_puts(out, "    ");
    for (uint32_t i = 0; i < d->n_used; i++) {
        if (d->used[i] != own) {
            snoopi__text_puts(out, package_name(p, d->used[i]));
            snoopi__text_puts(out, " === nothing || ");
        }
    }
    snoopi__text_puts(out, d->public.text);
    snoopi__text_puts(out, "   # ");
    snoopi__text_puts(out, snoopi__time_text(time, d->public.total_ns));
    snoopi__text_putc(out, '\n');
}

static void put_file(const snoopi_precompile *p, const snoopi__module_file *m, snoopi__text *out)
{
    snoopi__package_set used = {0};
    const uint16_t own = snoopi__package_number(&p->packages, m->module);
    const size_t end = m->first + m->public.n_directives;
    bool has_packages = false;
    bool has_bodies = false;
    for (size_t i = m->first; i < end; i++) {
        const snoopi__directive *d = &p->directives[i];
        has_bodies = has_bodies || strncmp(d->public.text, SNOOPI__BODY_FUNCTION,
                                           sizeof SNOOPI__BODY_FUNCTION - 1) == 0;
        for (uint32_t k = 0; k < d->n_used; k++) {
            used.bits[d->used[k] / 64] |= UINT64_C(1) << d->used[k] % 64;
            has_packages = has_packages || d->used[k] != own;
        }
    }
    snoopi__text_puts(out, "# Made by snoopi precompile. In the module ");
    snoopi__text_puts(out, m->public.module);
    snoopi__text_puts(out,
                      ", behind all definitions, include this file and call _precompile_().\n");
    snoopi__text_puts(out, has_packages ? snoopi__directive_lines(LINES_PACKAGE) : "");
    snoopi__text_puts(out, has_bodies ? snoopi__directive_lines(LINES_BODY) : "");
    snoopi__text_puts(out, snoopi__directive_lines(LINES_BEGIN));
    put_variables(p, m, &used, out);
    for (size_t i = m->first; i < end; i++) {
        put_directive(p, m, &p->directives[i], out);
    }
    snoopi__text_puts(out, snoopi__directive_lines(LINES_END));
}

const char *snoopi_precompile_file_text(snoopi_precompile *precompile, size_t index, size_t *size)
{
    *size = 0;
    if (index >= precompile->n_modules) {
        return NULL;
    }
    snoopi__module_file *m = &precompile->modules[index];
    if (!m->text) {
        snoopi__text text = {.limit = SIZE_MAX / 4};
        put_file(precompile, m, &text);
        // Each directive was read; that the whole is nothing else is what counts.
        if (!text.has_failed && snoopi__is_directive_file(text.data, text.size)) {
            m->text = snoopi__arena_text(&precompile->arena, text.data, text.size);
            m->size = text.size;
        }
        snoopi__text_clear(&text);
    }
    *size = m->size;
    return m->text;
}

static int write_file(const char *path, const char *text, size_t size, snoopi_error *err)
{
    char *temporary = NULL;
    if (asprintf(&temporary, "%s.XXXXXX", path) < 0) {
        return snoopi__fail_nomem(err);
    }
    const int fd = mkostemp(temporary, O_CLOEXEC);
    if (fd < 0) {
        free(temporary);
        return snoopi__fail(err, SNOOPI_E_IO, "%s: %s", path, strerror(errno));
    }
    const mode_t mask = umask(0);
    (void)umask(mask);
    (void)fchmod(fd, 0666 & ~mask);
    int st = snoopi__write_all(fd, text, size, path, err);
    if (close(fd) != 0 && st == 0) {
        st = snoopi__fail(err, SNOOPI_E_IO, "%s: %s", path, strerror(errno));
    }
    if (st == 0 && rename(temporary, path) != 0) {
        st = snoopi__fail(err, SNOOPI_E_IO, "%s: %s", path, strerror(errno));
    }
    if (st < 0) {
        (void)unlink(temporary);
    }
    free(temporary);
    return st;
}

int snoopi_precompile_write(snoopi_precompile *precompile, const char *folder, snoopi_error *err)
{
    int st = 0;
    if (mkdir(folder, 0777) != 0 && errno != EEXIST) {
        return snoopi__fail(err, SNOOPI_E_IO, "%s: %s", folder, strerror(errno));
    }
    for (size_t i = 0; i < precompile->n_modules && st == 0; i++) {
        size_t size;
        char *path = NULL;
        const char *text = snoopi_precompile_file_text(precompile, i, &size);
        if (!text || asprintf(&path, "%s/%s", folder, precompile->modules[i].public.file) < 0) {
            return snoopi__fail_nomem(err);
        }
        st = write_file(path, text, size, err);
        free(path);
    }
    return st;
}
