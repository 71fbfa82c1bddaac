# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# apt-get for packages that are only unpacked: with its own lists, cache and package status, so that nothing of this machine's
# changes; its proxies and credentials still hold. Sourced; say and fail are the caller's.

keyring=/usr/share/keyrings/debian-archive-keyring.gpg

# apt_in FOLDER ARCH ARGUMENT…
apt_in() {
    apt_folder=$1
    apt_arch=$2
    shift 2
    apt-get -q -o Dir::Etc::sourcelist="$apt_folder/sources.list" -o Dir::Etc::sourceparts="$apt_folder/none" \
        -o Dir::Etc::preferences=/dev/null -o Dir::Etc::preferencesparts="$apt_folder/none" \
        -o Dir::State::lists="$apt_folder/lists" -o Dir::State::status="$apt_folder/status" \
        -o Dir::Cache="$apt_folder/cache" -o APT::Sandbox::User= \
        -o APT::Architecture="$apt_arch" -o APT::Architectures="$apt_arch" \
        -o Acquire::Languages=none -o Acquire::Check-Valid-Until=false -o Acquire::Retries=3 \
        -o APT::Update::Post-Invoke-Success= "$@" >"$apt_folder/log" 2>&1 </dev/null
}

# The archives that apt is set up with, those of this machine's own release first.
mirrors() {
    # shellcheck source=/dev/null
    codename=$(. /etc/os-release && echo "${VERSION_CODENAME:-stable}")
    apt-get --print-uris update 2>/dev/null |
        sed -n "s|^'\(.*\)/dists/\([^/]*\)/.*|\2 \1|p" |
        awk -v own="$codename" '
            $1 ~ /security/ || seen[$2 ($1 == own)]++ { next }
            $1 == own { print $2; next }
            { rest[++n] = $2 }
            END { for (i = 1; i <= n; i++) print rest[i] }' |
        awk '!seen[$0]++'
}

# open_archive FOLDER ARCH SUITE: sets $found to a mirror that has the suite, whose lists are in FOLDER then.
open_archive() {
    mkdir -p "$1/none" "$1/lists/partial" "$1/cache/archives/partial"
    : >"$1/status"
    [ -r "$keyring" ] || fail "$keyring is missing; install debian-archive-keyring"
    for found in $(mirrors); do
        echo "deb [arch=$2 signed-by=$keyring] $found $3 main" >"$1/sources.list"
        if apt_in "$1" "$2" -o APT::Update::Error-Mode=any update; then
            return
        fi
    done
    cat "$1/log" >&2 2>/dev/null || true
    fail "no archive in apt's sources offers $3 for $2; is the network up, and is this Debian?"
}
