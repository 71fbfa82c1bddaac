// SPDX-License-Identifier: MIT
#include "html_parts.h"

#include <stdlib.h>

#include "packedtext.h"

static bool put_element(FILE *out, const char *attribute, const char *value, const void *data,
                        size_t size)
{
    (void)fprintf(out, "<script type=\"text/plain\" %s=\"%s\">", attribute, value);
    const bool is_good = snoopi__put_packed_text(out, data, size);
    (void)fputs("</script>\n", out);
    return is_good;
}

bool snoopi__html_put_json(FILE *out, const char *id, snoopi__html_put_members *put, void *payload)
{
    char *plain = NULL;
    size_t size = 0;
    snoopi_json json;
    FILE *const text = open_memstream(&plain, &size);
    if (!text) {
        return false;
    }
    snoopi_json_init(&json, text, 0);
    snoopi_json_begin_object(&json);
    bool is_good = put(payload, &json);
    if (is_good) {
        snoopi_json_end_object(&json);
    }
    is_good &= !ferror(text);
    is_good &= fclose(text) == 0;
    is_good = is_good && put_element(out, "id", id, plain, size);
    free(plain);
    return is_good;
}

bool snoopi__html_put_block(FILE *out, const char *kind, uint32_t n_frames, snoopi__buffer *columns,
                            size_t n_columns)
{
    snoopi__buffer bytes = {0};
    bool is_good = true;
    snoopi__buffer_varint(&bytes, n_frames);
    for (size_t i = 0; i < n_columns; i++) {
        snoopi__buffer_varint(&bytes, columns[i].size);
    }
    for (size_t i = 0; i < n_columns; i++) {
        snoopi__buffer_put(&bytes, columns[i].data, columns[i].size);
        is_good &= !columns[i].has_failed;
        columns[i].size = 0;
    }
    is_good =
        is_good && !bytes.has_failed && put_element(out, "class", kind, bytes.data, bytes.size);
    snoopi__buffer_clear(&bytes);
    return is_good;
}
