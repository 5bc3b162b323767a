# shellcheck shell=bash
# shellcheck disable=SC2034,SC2154 # lib.sh sets root; others use what is set here
# Tests that Maven compiles but does not run, because they need another system: a virtual machine, or Windows. They are
# marked with an annotation and its tag, and run all together in one process there.

# Which tests run: by day all but those that are marked for the night, at night these alone.
test_time='!night'

# at_this_time: of paths of classes, prints those that can have tests for this time.
at_this_time() {
  if [[ $test_time == night ]]; then
    xargs -r -d '\n' grep -lE '^ *@AtNight\b' || true
  else
    xargs -r -d '\n' grep -LE '^@AtNight\b' || true
  fi
}

# find_marked ANNOTATION: sets $marked_classes, those with such tests, and $marked_path, the class path for all of them.
find_marked() {
  local folders=() file folder class
  marked_classes=()
  while IFS= read -r file; do
    folder=${file%%/src/test/java/*} class=${file#*/src/test/java/} class=${class%.java}
    marked_classes+=("${class//\//.}")
    [[ " ${folders[*]} " == *" $folder "* ]] || folders+=("$folder")
  done < <(modules '' | sed 's:$:/src/test/java:' | xargs -d '\n' grep -rlE "^ *@[a-z.]*$1\b" 2>/dev/null | at_this_time | sort)
  # It knows all other modules.
  marked_path=$(<"$root/workshop/tests/node/target/test.classpath")
  for folder in "${folders[@]}"; do
    marked_path=$folder/target/test-classes:$folder/target/classes:$marked_path
  done
}

# marked_launcher TAG REPORTS: sets $launcher, the arguments of java that run them.
marked_launcher() {
  launcher=(-XX:+UseSerialGC -XX:TieredStopAtLevel=1 -XX:-UsePerfData --enable-native-access=ALL-UNNAMED
    -Dslf4j.internal.verbosity=ERROR org.junit.platform.console.ConsoleLauncher execute --disable-banner
    --disable-ansi-colors --details=testfeed "--include-tag=$1 & $test_time" "--reports-dir=$2"
    "${marked_classes[@]/#/--select-class=}")
}

# skipped_marked NAME WHY: prints a report of tests that could not run.
skipped_marked() {
  local class
  echo "<testsuite name=\"$1\" tests=\"${#marked_classes[@]}\">"
  for class in "${marked_classes[@]}"; do
    printf '<testcase name="all" classname="%s">\n<skipped message="%s"/>\n</testcase>\n' "$class" "${2//[<>&\"]/ }"
  done
  echo '</testsuite>'
}

# marked_progress PLACE: of what the launcher says about each test, prints classes as they begin, and when, and
# everything that is not a success.
marked_progress() {
  local line class='' last='' start=$SECONDS
  while IFS= read -r line; do
    line=${line%$'\r'}
    case $line in
      *' > '*' :: STARTED')
        class=${line#* > }
        class=${class%% > *}
        [[ $class == "$last" ]] || say "$1: $class, after $((SECONDS - start)) s"
        last=$class
        ;;
      *' :: SUCCESSFUL' | '['*']') ;;
      *) printf '%s\n' "$line" ;;
    esac
  done
}

# beside_marked COMMAND…: runs a command that runs all other tests, and beside it those that are marked: both wait a lot.
# What these print comes after what it prints.
beside_marked() {
  local log=$root/target/marked.log status=0
  # In a group of its own, so that the virtual machine ends with us.
  set -m
  (
    failed=0
    test_in_wine || failed=1
    test_in_vm || failed=1
    exit "$failed"
  ) >"$log" 2>&1 &
  set +m
  marked=$!
  trap 'kill -- "-$marked" 2>/dev/null || true' EXIT
  "$@" || status=1
  tail --lines=+1 --follow --pid="$marked" "$log"
  wait "$marked" || status=1
  return "$status"
}
