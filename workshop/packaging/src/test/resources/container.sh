# What a container runtime does with an image, for a test: container.sh ROOT CAPABILITIES PROGRAM [ARGUMENT...]
# starts a program of the unpacked image ROOT with a read-only file system and those capabilities alone, in mount, process and
# network namespaces of its own. BEFORE is run before, with the file system writable, BESIDE beside it, and AFTER after it.
set -euo pipefail
if [[ ! ${INSIDE:-} ]]; then
  INSIDE=1 exec unshare --mount --pid --fork --net --kill-child bash "${BASH_SOURCE[0]}" "$@"
fi
root=$1 capabilities=$2 program=$3
shift 3
mount --make-rprivate /
mount --bind "$root" "$root"
mount -t proc proc "$root/proc"
mount --bind /dev "$root/dev"
mkdir -p "$root/var/lib/kube-proxy"
touch "$root/etc/hosts"
ip link set lo up
eval "${BEFORE:-}"
mount -o remount,bind,ro "$root"

start() {
  env -i PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 ${JVM:+"JDK_JAVA_OPTIONS=$JVM"} \
    capsh --quiet --no-new-privs --chroot="$root" --inh="$capabilities" --drop=all --shell="$program" -- "$@"
}

cd /
if [[ ${BESIDE:-} ]]; then
  start "$@" &
  eval "$BESIDE"
else
  start "$@"
fi
eval "${AFTER:-}"
