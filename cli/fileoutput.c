// SPDX-License-Identifier: MIT
#include "fileoutput.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int fail_io(snoopi_error *err, const char *path)
{
    err->status = SNOOPI_E_IO;
    err->sys_errno = errno;
    (void)snprintf(err->text, sizeof err->text, "%s: %s", path, strerror(errno));
    return SNOOPI_E_IO;
}

static int fail_nomem(snoopi_error *err)
{
    err->status = SNOOPI_E_NOMEM;
    (void)snprintf(err->text, sizeof err->text, "out of memory");
    return SNOOPI_E_NOMEM;
}

// The name that is written: beside the target, so that it can be renamed, or with the temporary files.
static char *temporary_name(const cli_fileoutput *file)
{
    const char *const folder = getenv("TMPDIR");
    char *name = NULL;
    const int length =
        file->is_copied ? asprintf(&name, "%s/snoopi-XXXXXX", folder && *folder ? folder : "/tmp")
                        : asprintf(&name, "%s.XXXXXX", file->target);
    return length < 0 ? NULL : name;
}

int cli_fileoutput_begin(cli_fileoutput *file, const char *path, bool is_stdout, snoopi_error *err)
{
    struct stat s;
    *file = (cli_fileoutput){0};
    file->is_copied = is_stdout || (stat(path, &s) == 0 && !S_ISREG(s.st_mode));
    if (!is_stdout) {
        file->target = realpath(path, NULL); // a link stays one
        file->target = file->target ? file->target : strdup(path);
        if (!file->target) {
            return fail_nomem(err);
        }
    }
    char *const name = temporary_name(file);
    if (!name) {
        return fail_nomem(err);
    }
    const int fd = mkostemp(name, O_CLOEXEC);
    if (fd < 0) {
        const int status = fail_io(err, file->is_copied ? name : file->target);
        free(name);
        return status;
    }
    const mode_t mask = umask(0);
    (void)umask(mask);
    (void)fchmod(fd, 0666 & ~mask);
    (void)close(fd);
    file->temporary = name;
    return SNOOPI_OK;
}

static int copy(const cli_fileoutput *file, snoopi_error *err)
{
    char block[65536];
    size_t n;
    int status = SNOOPI_OK;
    FILE *const in = fopen(file->temporary, "re");
    if (!in) {
        return fail_io(err, file->temporary);
    }
    FILE *const out = file->target ? fopen(file->target, "we") : stdout;
    if (!out) {
        (void)fclose(in);
        return fail_io(err, file->target);
    }
    while ((n = fread(block, 1, sizeof block, in)) > 0 && fwrite(block, 1, n, out) == n) {
    }
    if (fflush(out) != 0 || ferror(out)) {
        status = fail_io(err, file->target ? file->target : "standard output");
    } else if (ferror(in)) {
        status = fail_io(err, file->temporary);
    }
    (void)fclose(in);
    if (file->target && fclose(out) != 0 && status == SNOOPI_OK) {
        status = fail_io(err, file->target);
    }
    return status;
}

int cli_fileoutput_end(cli_fileoutput *file, int status, snoopi_error *err)
{
    bool is_left = file->temporary != NULL;
    if (status == SNOOPI_OK && file->is_copied) {
        status = copy(file, err);
    } else if (status == SNOOPI_OK && rename(file->temporary, file->target) == 0) {
        is_left = false;
    } else if (status == SNOOPI_OK) {
        status = fail_io(err, file->target);
    }
    if (is_left) {
        (void)unlink(file->temporary);
    }
    free(file->temporary);
    free(file->target);
    *file = (cli_fileoutput){0};
    return status;
}
