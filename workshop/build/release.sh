# shellcheck shell=bash
# shellcheck disable=SC2154 # lib.sh and peers.sh set root and peers
# A release: everything that is published, in dist. Nothing is uploaded.

dist=$root/dist

# release_notes VERSION: prints that section of CHANGELOG.md.
release_notes() {
  awk -v version="$1" '
    $1 == "##" { found = $2 == version; if (found) { print "# Portolan " version; some = 1 }; next }
    found { print }
    END { exit !some }' "$root/CHANGELOG.md" ||
    fail "CHANGELOG.md has no section '## $1': rename the newest one, and start another for what follows."
}

# What can go wrong is said before anything is built.
check_release() {
  [[ ${1:-} =~ ^(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)(-(alpha|beta|rc)\.[1-9][0-9]*)?$ ]] ||
    fail "release needs a version such as 0.2.0 or 0.3.0-rc.1, not '${1:-}'."
  release_notes "$1" >/dev/null
}

# The jars of the libraries with their sources and documentation, and of the program; from nothing, because a jar would
# otherwise contain classes whose sources are gone.
build_jars() {
  local modules options
  mapfile -t modules < <(modules 'workshop/bench|workshop/tests/house|workshop/tests/sessions|workshop/tests/node|examples|workshop/testkit')
  modules=("${modules[@]#"$root/"}")
  rm -rf "$app"
  options=(-P "launcher,release" -pl ".,$(IFS=, && echo "${modules[*]}")" -Dexec.skip)
  maven -q "${options[@]}" clean || fail "the build failed, see above."
  watched maven -B "${options[@]}" package
}

# The chart, with the version of the release.
build_chart() {
  local chart=$root/target/chart helm
  rm -rf "$chart"
  mkdir -p "$chart"
  cp -r "$root/deploy/chart/portolan" "$chart"
  sed -Ei "s/^(version|appVersion): .*/\1: $revision/" "$chart/portolan/Chart.yaml"
  helm=$(find "$peers" -maxdepth 1 -name 'helm-*' -perm -u+x | sort | tail -n 1)
  if [[ $helm ]]; then
    "$helm" lint --strict --quiet --set apiServer=https://192.0.2.1:6443 "$chart/portolan" >&2 || fail "the chart has mistakes, see above."
  else
    say "the chart was not checked: ./dev peers builds helm"
  fi
  tar -C "$chart" --sort=name --mtime=2026-01-01T00:00Z --owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX -cf - portolan |
    gzip -9n >"$dist/portolan-$revision.tgz"
}

# release VERSION: writes all of it.
release() {
  local started=$SECONDS
  check_release "${1:-}"
  revision=$1
  need_jdk
  needs dpkg-deb dpkg
  needs strip binutils
  needs zstd zstd
  needs iptables-nft iptables
  rm -rf "$dist"
  mkdir -p "$dist"
  release_notes "$revision" >"$dist/RELEASE-NOTES.md"
  say "building the libraries and the program"
  build_jars
  cp "$root/tools/cli/target/launcher/bom.json" "$dist/portolan-$revision.cdx.json"
  say "making the Maven repository"
  packaging maven
  say "making the installation tree"
  packaging tree
  say "making the packages"
  packaging package
  say "making the images"
  packaging image
  say "making the chart"
  build_chart
  build_messages
  cp "$messages"/*.whl "$messages"/*.tar.gz "$dist"
  (cd "$dist" && find . -type f -printf '%P\n' | LC_ALL=C sort | xargs -d '\n' sha256sum) >"$root/target/SHA256SUMS"
  mv "$root/target/SHA256SUMS" "$dist"
  say_dist '*'
  say "dist/maven, $(du -s --block-size=kB "$dist/maven" | cut -f1)"
  say "release $revision is in dist, after $((SECONDS - started)) s"
}
