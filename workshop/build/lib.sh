# shellcheck shell=bash
# What ./portolan and ./dev share: finding the JDK and running Maven.

root=${BASH_SOURCE[0]%/workshop/build/lib.sh}
java_version=25
app=$root/tools/cli/target/portolan
stamp=$app/stamp
# The version of everything, where a release sets it.
revision=

# shellcheck disable=SC2154 # the caller sets self to its own path
say() { printf '%s: %s\n' "${self##*/}" "$*" >&2; }

fail() {
  say "$@"
  exit 1
}

# Whether $1 is the home of a JDK of the wanted version.
is_jdk() {
  local release
  [[ -x $1/bin/javac && -r $1/release ]] || return 1
  IFS= read -rd '' release <"$1/release" || true
  [[ $release =~ JAVA_VERSION=\"${java_version}[.\"] ]]
}

# needs COMMAND PACKAGE: installs the distribution's package when the command is missing.
needs() {
  type -P "$1" >/dev/null || install_package "$1" "$2"
}

# install_package WHAT PACKAGE: installs the package, or says what is missing and how to install it.
install_package() {
  type -P apt-get >/dev/null ||
    fail "$1 is missing: install it as this system does (on Debian and Ubuntu it is the package $2), and start this again."
  [[ $EUID == 0 ]] || fail "$1 is missing: run 'sudo apt-get install $2', and start this again."
  say "installing $2, because $1 is missing"
  { apt-get -qq update && DEBIAN_FRONTEND=noninteractive apt-get -qq install --yes --no-install-recommends "$2"; } >/dev/null ||
    fail "apt-get could not install $2, see above: install $1 by hand, and start this again."
}

# Sets $jdk: JAVA_HOME, the java on the PATH, a JDK installed beside one of them, or one where distributions put them.
find_jdk() {
  local java homes=() home
  [[ -z ${JAVA_HOME:-} ]] || homes+=("${JAVA_HOME%/}")
  if java=$(type -P java); then
    java=$(readlink -f "$java")
    homes+=("${java%/bin/java}")
  fi
  homes+=(/usr/lib/jvm/default)
  for home in "${homes[@]}"; do
    for jdk in "$home" "${home%/*}"/*; do
      ! is_jdk "$jdk" || return 0
    done
  done
  return 1
}

need_jdk() {
  find_jdk || install_package "a JDK $java_version (such as Temurin's from adoptium.net, with JAVA_HOME set to its folder)" \
    "openjdk-$java_version-jdk-headless"
  find_jdk || fail "needs a JDK $java_version: install one, or set JAVA_HOME to it."
}

# Prints the version: that of the release, or of the root pom.
project_version() {
  [[ -z $revision ]] || { echo "$revision" && return; }
  sed -n 's:.*<revision>\(.*\)</revision>.*:\1:p;T;q' "$root/pom.xml"
}

# modules [NOT]: prints the folders of the modules as the root pom lists them, except those that match NOT.
modules() {
  sed -n 's:.*<module>\(.*\)</module>.*:\1:p' "$root/pom.xml" | grep -vxE "${1:-}" | sed "s:^:$root/:"
}

# Maven on the JDK that compiles, so that the formatter knows the language too. In its folder, as paths among the
# options of its JVM cannot have spaces.
maven() (
  needs mvn maven
  cd "$root"
  plugins=target/javac
  [[ $plugins/KeptPlugins.class -nt workshop/build/javac/KeptPlugins.java ]] ||
    "$jdk/bin/javac" -d "$plugins" workshop/build/javac/KeptPlugins.java
  jvm="--enable-native-access=ALL-UNNAMED --sun-misc-unsafe-memory-access=allow -Xbootclasspath/a:$plugins"
  JAVA_HOME=$jdk MAVEN_OPTS="$jvm ${MAVEN_OPTS:-}" mvn -T2 ${revision:+"-Drevision=$revision"} "$@"
)

# Maven, and a stamp as old as its start: what changes meanwhile is newer than the stamp.
maven_build() {
  local started=$root/target/started
  mkdir -p "$root/target"
  touch "$started"
  maven "$@" || return
  mv "$started" "$stamp"
}

# Says what Maven is doing, out of its log.
progress() {
  local line downloads=0
  while IFS= read -r line; do
    if [[ $line == *"Downloaded from "* ]]; then
      ((downloads++ % 50)) || say "  downloading libraries ($downloads so far)"
    elif [[ $line =~ Building\ ([[:alnum:]-]+)\ .*\[(.*)\]$ ]]; then
      say "  compiling ${BASH_REMATCH[1]} (${BASH_REMATCH[2]})"
    elif [[ $line == *"(aot-cache)"* ]]; then
      say "  training the cache that makes it start fast"
    fi
  done
}

# Prints what went wrong, out of Maven's log: messages about files first, each once.
errors() {
  grep -E '^\[(ERROR|WARNING)\] .*\.java:\[|^\[ERROR\] (Failed to execute|Non-resolvable)|^portolan: ' "$1" | cut -c 1-500 |
    awk '!seen[$0]++' | tail -n 20 >&2 || true
}

# watched COMMAND...: runs a Maven build, says how far it is, and prints only what goes wrong.
watched() {
  local log=$root/target/build.log
  mkdir -p "$root/target"
  if ! "$@" 2>&1 | tee "$log" | progress; then
    errors "$log"
    fail "the build failed; all of its output is in $log"
  fi
}
