// SPDX-License-Identifier: MIT
// Roles of processes: reads as much of julia's command line as that takes. See role.h.
#include "role.h"

#include <stdbool.h>
#include <string.h>

typedef struct {
    const char *output_ji;
    const char *output_o;
    bool is_incremental;
    bool is_worker;
} options;

// Options that take the next word as their argument, when they have none of their own (getopt's required_argument).
static const char *const with_argument[] = {
    "--home",
    "--eval",
    "--print",
    "--load",
    "--sysimage",
    "--cpu-target",
    "--procs",
    "--threads",
    "--gcthreads",
    "--machine-file",
    "--startup-file",
    "--history-file",
    "--handle-signals",
    "--depwarn",
    "--warn-overwrite",
    "--warn-scope",
    "--check-bounds",
    "--inline",
    "--math-mode",
    "--color",
    "--banner",
    "--compile",
    "--compiled-modules",
    "--pkgimages",
    "--output-o",
    "--output-ji",
    "--output-bc",
    "--output-unopt-bc",
    "--output-asm",
    "--output-incremental",
    "--sysimage-native-code",
    "--bind-to",
    "--trace-compile",
    "--polly",
    "--heap-size-hint",
    "--strip-metadata",
};

static const char short_with_argument[] = "HeELJCptm";

static bool takes_next(const char *word)
{
    if (word[1] != '-') {
        return word[2] == '\0' && strchr(short_with_argument, word[1]) != NULL;
    }
    for (size_t i = 0; i < sizeof with_argument / sizeof with_argument[0]; i++) {
        if (strcmp(word, with_argument[i]) == 0) {
            return true;
        }
    }
    return false;
}

// The argument of the option `name`, if `word` is it.
static const char *value_of(const char *word, const char *next, const char *name)
{
    const size_t length = strlen(name);
    if (strncmp(word, name, length) != 0) {
        return NULL;
    }
    return word[length] == '=' ? word + length + 1 : word[length] == '\0' ? next : NULL;
}

static void take_option(options *out, const char *word, const char *next)
{
    const char *value = value_of(word, next, "--output-ji");
    out->output_ji = value ? value : out->output_ji;
    value = value_of(word, next, "--output-o");
    out->output_o = value ? value : out->output_o;
    value = value_of(word, next, "--output-incremental");
    out->is_incremental = value ? strcmp(value, "yes") == 0 : out->is_incremental;
    if (strcmp(word, "--worker") == 0 || strncmp(word, "--worker=", 9) == 0) {
        out->is_worker = true;
    }
}

// Julia's options end at the program; what follows is the program's.
static options parse(uint32_t argc, const char *const *argv)
{
    options out = {0};
    for (uint32_t i = 1; i < argc; i++) {
        const char *word = argv[i];
        if (word[0] != '-' || word[1] == '\0' || strcmp(word, "--") == 0) {
            break;
        }
        const char *next = i + 1 < argc ? argv[i + 1] : "";
        take_option(&out, word, next);
        i += takes_next(word);
    }
    return out;
}

static bool is_version_folder(const char *name, size_t size)
{
    return size > 1 && name[0] == 'v' && strspn(name + 1, "0123456789.") >= size - 1;
}

// The package whose cache file `path` is: compiled/v1.5/NAME/slug.ji, or compiled/v1.5/NAME.ji.
static void package_of(const char *path, const char **name, size_t *size)
{
    const char *slash = strrchr(path, '/');
    *name = slash ? slash + 1 : path;
    const char *dot = strchr(*name, '.');
    *size = dot ? (size_t)(dot - *name) : strlen(*name);
    if (!slash || slash == path) {
        return;
    }
    const char *folder = memrchr(path, '/', (size_t)(slash - path));
    folder = folder ? folder + 1 : path;
    if (!is_version_folder(folder, (size_t)(slash - folder))) {
        *name = folder;
        *size = (size_t)(slash - folder);
    }
}

static const char *precompile(snoopi__arena *arena, const char *name, size_t size)
{
    static const char prefix[] = "precompile:";
    char *role = snoopi__arena_alloc(arena, sizeof prefix + size);
    if (role) {
        memcpy(role, prefix, sizeof prefix - 1);
        memcpy(role + sizeof prefix - 1, name, size);
        role[sizeof prefix - 1 + size] = '\0';
    }
    return role;
}

const char *snoopi__role_of(snoopi__arena *arena, uint32_t argc, const char *const *argv,
                            const char *image)
{
    const options given = parse(argc, argv);
    if (given.is_worker) {
        return "worker";
    }
    if (given.output_o && !given.is_incremental) {
        return "image";
    }
    const char *cache = given.output_ji ? given.output_ji : given.output_o;
    if (!cache) {
        return "main";
    }
    const char *name;
    size_t size;
    package_of(cache, &name, &size);
    return size > 0 ? precompile(arena, name, size) : precompile(arena, image, strlen(image));
}
