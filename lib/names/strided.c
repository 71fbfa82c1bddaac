// SPDX-License-Identifier: MIT
#include "strided.h"

bool snoopi__show_strided(snoopi__printer *printer, uint32_t node, uint16_t depth)
{
    (void)printer;
    (void)node;
    (void)depth;
    return false;
}
