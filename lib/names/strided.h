// SPDX-License-Identifier: MIT
#ifndef SNOOPI_STRIDED_H
#define SNOOPI_STRIDED_H

/**
 * @file
 * The unions that Julia 1.5 shows by a name: StridedArray{T,N}, StridedVecOrMat{T}, and unions that hold the former.
 */
#include "printer.h"

/** Takes the tasks that show the union `node` so; false if it is shown as any other. */
bool snoopi__show_strided(snoopi__printer *printer, uint32_t node, uint16_t depth);

#endif
