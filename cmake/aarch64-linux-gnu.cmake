# SPDX-License-Identifier: MIT
# Cross compilation for 64-bit Arm with Debian's gcc-aarch64-linux-gnu. SNOOPI_AARCH64_ROOT names a folder with the libraries, as
# tools/get-arm64 makes it; without one, only what needs libc alone can be built.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
