# shellcheck shell=bash
# What a fresh machine needs and whether it gets it, tried in an empty root file system: Debian's smallest, and in it a
# copy of this tree. Like this machine it uses the network, with the same proxies and authorities. Its namespaces, mounts
# and processes end with the command.

fresh=${XDG_CACHE_HOME:-$HOME/.cache}/portolan/fresh
# The first Debian with a JDK of our version; in an older one, the message about that can be seen.
fresh_suite=${FRESH_SUITE:-trixie}

# try_fresh COMMAND...: makes the file system and runs the command in the tree there, as root; ./portolan demo if none is given.
try_fresh() {
  [[ $EUID == 0 ]] || fail "fresh needs root, for a root file system of its own."
  needs debootstrap debootstrap
  needs git git
  (($#)) || set -- ./portolan demo
  say "making an empty Debian $fresh_suite in $fresh"
  rm -rf --one-file-system "$fresh"
  mkdir -p "$fresh"
  debootstrap --variant=minbase "$fresh_suite" "$fresh" >"$fresh.log" ||
    fail "debootstrap failed; its output is in $fresh.log"
  mkdir "$fresh/root/portolan"
  git -C "$root" ls-files -z --cached --others --exclude-standard |
    tar -C "$root" --null --ignore-failed-read -T - -c 2>/dev/null | tar -C "$fresh/root/portolan" -x
  cp /etc/resolv.conf "$fresh/etc/"
  cp -a /usr/local/share/ca-certificates "$fresh/usr/local/share/" 2>/dev/null || true
  grep -lis proxy /etc/apt/apt.conf.d/* | xargs -r cp -t "$fresh/etc/apt/apt.conf.d" || true
  # shellcheck disable=SC2016 # expanded by the shell inside
  unshare --mount --pid --fork --kill-child --ipc --uts bash -ec '
    # A mount of its own: ip cannot enter a network namespace where / is none.
    mount --bind "$1" "$1"
    cd "$1"
    mount -t proc proc proc
    mount -t sysfs sysfs sys
    mount --rbind /dev dev
    mount -t tmpfs tmpfs run
    pivot_root . mnt
    exec chroot . env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root \
      TERM="${TERM:-dumb}" ${http_proxy:+"http_proxy=$http_proxy"} ${https_proxy:+"https_proxy=$https_proxy"} \
      ${no_proxy:+"no_proxy=$no_proxy"} bash -ec '\''umount -l /mnt; cd /root/portolan; exec "$@"'\'' fresh "${@:2}"' fresh "$fresh" "$@"
}
