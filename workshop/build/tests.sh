# shellcheck shell=bash
# shellcheck disable=SC2154 # lib.sh sets root and jdk
# Runs the tests of all modules, several processes side by side. Most tests wait: for a daemon, an API server, a minute
# of traffic; and none needs what the tests of another module do. Maven, which compiled them, would run a module's after
# those of all modules that it needs.

# How many processes at a time.
test_processes=${PORTOLAN_TEST_PROCESSES:-$(($(nproc) * 2 + 1))}
# Modules whose tests take longest come first, with the number of processes for their classes; others have one each.
test_shares=(workshop/tests/node:7 workshop/tests/sessions:2 backends/iptables:4 workshop/packaging:3 tools/walk:4 tools/conformance:3 backends/nftables:3
  # Tests that run a backend inside of a network namespace leave the carriers of virtual threads there, and with them
  # the sockets of tests that need none.
  backends/userspace:99
  backends/ebpf:3 sources/kube:2 sources/file:2 api/client:2 api/server:2)

# test_classes MODULE: prints its classes, those that have no tests too.
test_classes() {
  [[ ! -d $root/$1/src/test/java ]] ||
    (cd "$root/$1/src/test/java" && find . -name '[A-Z]*.java' -printf '%P\n' | at_this_time | sed 's:/:.:g; s:\.java$::' | sort)
}

# test_options: prints the options of the JVM, which the root pom has.
test_options() {
  sed -n 's:.*<test.options>\(.*\)</test.options>.*:\1:p' "$root/pom.xml"
}

# test_folder MODULE: prints where its tests run, as its pom says.
test_folder() {
  local folder
  folder=$(sed -n 's:.*<workingDirectory>\(.*\)</workingDirectory>.*:\1:p' "$root/$1/pom.xml")
  folder=${folder/'${project.basedir}'/$root/$1}
  folder=${folder/'${project.build.directory}'/$root/$1/target}
  printf '%s\n' "${folder:-$root/$1}"
}

# test_share MODULE SHARE SHARES: runs every SHARES-th class of a module, from number SHARE on.
test_share() {
  local module=$1 reports=$root/$1/target/surefire-reports/$2 folder start=$SECONDS name=$1 classes options status=0
  mapfile -t classes < <(test_classes "$module" | awk -v share="$2" -v shares="$3" 'NR % shares == share')
  ((${#classes[@]})) || return 0
  (($3 == 1)) || name="$1, $(($2 + 1)) of $3"
  read -ra options < <(test_options)
  folder=$(test_folder "$module")
  mkdir -p "$reports" "$folder"
  # How long processors worked for it, and for the programs that it waited for.
  TIMEFORMAT='%0U %0S'
  { time (
    cd "$folder"
    # Network namespaces share the lock of iptables-legacy, which a test holds on purpose.
    export XTABLES_LOCKFILE=$reports/xtables.lock
    "$jdk/bin/java" "${options[@]}" -Dslf4j.internal.verbosity=ERROR -cp \
      "$root/$module/target/test-classes:$root/$module/target/classes:$(<"$root/$module/target/test.classpath")" \
      org.junit.platform.console.ConsoleLauncher execute --disable-banner --disable-ansi-colors --details=testfeed \
      --include-classname='.*' "--include-tag=!vm & !windows & $test_time" "--reports-dir=$reports" \
      "${classes[@]/#/--select-class=}" >"$reports/log" 2>&1 </dev/null
  ); } 2>"$reports/processor" || status=1
  if ((status)); then
    say "FAILED: $name, after $((SECONDS - start)) s"
    grep -vE ' :: (STARTED|SUCCESSFUL)$' "$reports/log" | tail -n 400
  else
    say "tested $name, $((SECONDS - start)) s, of processors $(awk '{ print $1 + $2 }' "$reports/processor") s"
  fi
  return "$status"
}

# test_all: runs every test that needs no other system.
test_all() {
  local entry module shares=() share count status=0 done known=' ' limit=$test_processes
  local -A running=()
  for entry in "${test_shares[@]}"; do
    module=${entry%:*} count=${entry#*:}
    share=$(test_classes "$module" | wc -l)
    ((count <= share)) || count=$share
    known+="$module "
    for ((share = 0; share < count; share++)); do shares+=("$module $share $count"); done
  done
  while IFS= read -r module; do
    module=${module#"$root"/}
    [[ $known == *" $module "* || -z $(test_classes "$module") ]] || shares+=("$module 0 1")
  done < <(modules '')
  for entry in "${shares[@]}"; do
    if ((${#running[@]} >= limit)); then
      wait -n -p done "${!running[@]}" || status=1
      unset "running[$done]"
    fi
    # shellcheck disable=SC2086 # three words
    test_share $entry &
    running[$!]=$entry
  done
  for done in "${!running[@]}"; do
    wait "$done" || status=1
  done
  return "$status"
}
