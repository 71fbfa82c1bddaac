// SPDX-License-Identifier: MIT
// Finding Julia's source files. See paths.h.
#include "paths.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static bool is_file(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

// `path` if a file is there, else NULL, and it is freed. NULL is allowed.
static char *if_file(char *path)
{
    if (path && is_file(path)) {
        return path;
    }
    free(path);
    return NULL;
}

static char *join(const char *dir, const char *name)
{
    char *path = NULL;
    const size_t length = strlen(dir);
    const char *slash = length > 0 && dir[length - 1] == '/' ? "" : "/";
    return asprintf(&path, "%s%s%s", dir, slash, name) < 0 ? NULL : path;
}

// The file `name` below BINDIR/../share/julia, as Julia itself spells that: without following links.
static char *in_share(const char *bindir, const char *name)
{
    size_t length = strlen(bindir);
    while (length > 1 && bindir[length - 1] == '/') {
        length--;
    }
    const char *slash = memrchr(bindir, '/', length);
    if (!slash) {
        return NULL;
    }
    char *path = NULL;
    const int prefix = (int)(slash - bindir);
    return if_file(asprintf(&path, "%.*s/share/julia/%s", prefix, bindir, name) < 0 ? NULL : path);
}

// What follows the last "share/julia/" in `raw`, or NULL.
static const char *behind_share(const char *raw)
{
    static const char share[] = "share/julia/";
    const char *found = NULL;
    for (const char *at = strstr(raw, share); at; at = strstr(at + 1, share)) {
        if (at == raw || at[-1] == '/') {
            found = at + sizeof share - 1;
        }
    }
    return found;
}

static char *in_base(const char *bindir, const char *raw)
{
    if (raw[0] == '.' && raw[1] == '/') {
        raw += 2;
    }
    char *name = join("base", raw);
    char *found = name ? in_share(bindir, name) : NULL;
    free(name);
    return found;
}

char *snoopi__path_find(const char *raw, const char *bindir, const char *cwd)
{
    if (!*raw) {
        return NULL;
    }
    char *found = raw[0] == '/' ? if_file(strdup(raw)) : NULL;
    const char *behind = behind_share(raw);
    if (!found && *bindir && behind) {
        found = in_share(bindir, behind);
    }
    if (raw[0] == '/') {
        return found;
    }
    // Julia makes the paths of what a program includes absolute, so a bare name is Base's before it is anyone else's.
    if (!found && *bindir) {
        found = in_base(bindir, raw);
    }
    if (!found && *cwd) {
        found = if_file(join(cwd, raw));
    }
    return found;
}
