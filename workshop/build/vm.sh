# shellcheck shell=bash
# A virtual machine with a kernel that this machine may not have: Debian's, with ip_vs and everything else as
# modules. It has this machine's files, as they are, but what is written there vanishes with it; and no network.
# The processor is emulated, so it runs anywhere, slowly. With two of them the emulation is slower than with one.

vm_cache=${XDG_CACHE_HOME:-$HOME/.cache}/portolan/vm
vm_kernel_package=linux-image-amd64
vm_memory=1024
# Where tests are run, and when they must have hung: beside those of Maven they take a third of it.
vm_test_folder=$root/workshop/tests/node
vm_test_seconds=3000
# Other clocks are measured at the start, which goes wrong by a factor of ten where the host is busy; and so does the
# kernel's check that there is a clock at all.
vm_clock='tsc=unstable clocksource=hpet nolapic_timer no_timer_check'
# What it needs until it has its root.
vm_modules=(virtio_pci virtio_console 9pnet_virtio 9p overlay)

# Everything that a virtual machine is made of, and what programs in it use.
need_vm() {
  [[ $(uname -m) == x86_64 ]] || fail "the virtual machine is one for x86-64, which this machine is not."
  needs qemu-system-x86_64 qemu-system-x86
  needs modprobe kmod
  needs cpio cpio
  needs ip iproute2
  needs nft nftables
  needs conntrack conntrack
  needs iptables iptables
  needs ipset ipset
  needs ipvsadm ipvsadm
  need_vm_kernel
}

# Sets $vm_kernel and $vm_busybox: folders with Debian's packages, unpacked, not installed. A newer kernel is taken
# only when they are deleted.
need_vm_kernel() {
  local package
  mkdir -p "$vm_cache"
  vm_kernel=$(vm_kernel_folder)
  vm_busybox=$vm_cache/busybox-static
  [[ -z $vm_kernel || ! -d $vm_busybox ]] || return 0
  type -P apt-get >/dev/null || fail "the virtual machine has Debian's kernel, which apt-get gets."
  say "downloading a kernel for the virtual machine (70 MB, 400 MB unpacked)"
  apt-get -qq update || fail "could not read the lists of packages."
  package=$(apt-cache depends "$vm_kernel_package" 2>/dev/null | sed -n 's/.*Depends: \(linux-image-[0-9][^ ]*\).*/\1/p')
  [[ -n $package ]] || fail "there is no package $vm_kernel_package here: the virtual machine has Debian's kernel."
  unpack_package "$package"
  unpack_package busybox-static
  vm_kernel=$(vm_kernel_folder)
}

# The newest kernel that is there, if any.
vm_kernel_folder() {
  find "$vm_cache" -mindepth 1 -maxdepth 1 -name 'linux-image-*' | sort -V | tail -n 1
}

# unpack_package PACKAGE: puts the files of a package into a folder of its name in the cache.
unpack_package() {
  local work
  work=$(mktemp -d -p "$vm_cache")
  (cd "$work" && apt-get -qq download -o APT::Sandbox::User=root "$1" && dpkg-deb -x ./*.deb files) >"$work/log" 2>&1 || {
    tail -n 20 "$work/log" >&2
    rm -rf "$work"
    fail "could not get the package $1."
  }
  # The package has no list of what depends on what; installing it would make it.
  [[ ! -d $work/files/lib/modules ]] || depmod -b "$work/files" "$(basename "$work"/files/lib/modules/*)"
  rm -rf "${vm_cache:?}/$1"
  mv "$work/files" "$vm_cache/$1"
  rm -rf "$work"
}

# vm_initrd FOLDER FILE: packs what the kernel starts with.
vm_initrd() {
  local module path version
  version=$(basename "$vm_kernel"/lib/modules/*)
  mkdir -p "$1/bin" "$1/modules"
  cp "$vm_busybox/bin/busybox" "$1/bin"
  cp "$root/workshop/build/vm/init" "$1/init"
  chmod +x "$1/init"
  for module in "${vm_modules[@]}"; do
    while read -r _ path _; do
      cp "$path" "$1/modules"
      basename "$path"
    done < <(modprobe -d "$vm_kernel" -S "$version" --show-depends "$module" | grep ^insmod)
  done | awk '!seen[$0]++' >"$1/modules/order.new"
  mv "$1/modules/order.new" "$1/modules/order"
  (cd "$1" && find . | cpio --quiet -o -H newc) | gzip -1 >"$2"
}

# run_vm FOLDER SECONDS SCRIPT: runs a script of bash in a fresh virtual machine, in the same working directory. It
# sees FOLDER as /out, the one place where what it writes stays. Ends with the status of the script, or 125 if there
# is none. Its output must be a pipe, which qemu opens by name.
run_vm() {
  local out=$1 seconds=$2 version status=125 name
  version=$(basename "$vm_kernel"/lib/modules/*)
  rm -rf "${out:?}"/{status,boot}
  mkdir -p "$out/boot"
  vm_initrd "$out/boot/files" "$out/boot/initrd"
  cp "$root/workshop/build/vm/guest" "$out/guest"
  printf '%s\n' "$vm_kernel/lib/modules/$version" >"$out/modules"
  {
    # It says of itself what it is.
    echo 'export PORTOLAN_VM=true'
    for name in HOME CI JAVA_HOME XDG_CACHE_HOME PORTOLAN_PEERS; do
      [[ -z ${!name:-} ]] || printf 'export %s=%q\n' "$name" "${!name}"
    done
    printf 'cd %q\n%s\n' "$PWD" "$3"
  } >"$out/job"
  timeout --foreground "$seconds" qemu-system-x86_64 -M q35 -accel tcg -cpu max -smp 1 -m "$vm_memory" \
    -nodefaults -no-user-config -no-reboot -display none -serial "file:$out/boot/console" \
    -device virtio-serial-pci -chardev file,id=job,path=/dev/stdout,append=on -device virtserialport,chardev=job \
    -fsdev local,id=host,path=/,security_model=none,readonly=on,multidevs=remap \
    -device virtio-9p-pci,fsdev=host,mount_tag=host \
    -fsdev "local,id=out,path=$out,security_model=none" -device virtio-9p-pci,fsdev=out,mount_tag=out \
    -kernel "$vm_kernel/boot/vmlinuz-$version" -initrd "$out/boot/initrd" \
    -append "console=ttyS0 quiet loglevel=3 panic=-1 mitigations=off random.trust_cpu=on $vm_clock" </dev/null ||
    say "the virtual machine ended with status $?"
  if [[ -s $out/status ]]; then
    status=$(<"$out/status")
  else
    tail -n 20 "$out/boot/console" >&2 || true
    say "the virtual machine did not finish its job, within $seconds s or at all."
  fi
  rm -rf "${out:?}"/{boot,guest,modules,job,status}
  return "$status"
}

# ./dev vm COMMAND…
vm_verb() {
  local work script status=0
  (($# > 0)) || fail "vm takes a command, as in ./dev vm ipvsadm -Ln, or ./dev vm 'modprobe ip_vs; ipvsadm -Ln'."
  need_vm
  # One word is a line for a shell; several are a program and its arguments.
  script=$1
  (($# == 1)) || printf -v script '%q ' "$@"
  work=$(mktemp -d)
  say "starting a virtual machine, Linux $(basename "$vm_kernel"/lib/modules/*); this takes about ten seconds"
  run_vm "$work" infinity "$script" | cat || status=$?
  rm -rf "$work"
  exit "$status"
}

# Runs all tests that are marked for the virtual machine, in one of them and in one process, with what Maven has
# compiled. Reports are where those of Maven's are, so that they are counted.
test_in_vm() {
  local reports=$root/target/surefire-reports why script
  find_marked NeedsVm
  ((${#marked_classes[@]})) || return 0
  mkdir -p "$reports"
  if ! why=$( (need_vm) 2>&1 | tee >(cat >&2) | tail -n 1); then
    skipped_marked vm "${why#*: }" >"$reports/TEST-vm.xml"
    return
  fi
  need_vm
  marked_launcher vm /out
  printf -v script '%q ' "$jdk/bin/java" -Xmx512m -cp "$marked_path" "${launcher[@]}"
  say "running ${#marked_classes[@]} classes of tests in a virtual machine, Linux $(basename "$vm_kernel"/lib/modules/*)"
  (cd "$vm_test_folder" && run_vm "$reports" "$vm_test_seconds" "$script") | marked_progress "in the virtual machine"
}
