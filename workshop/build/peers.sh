# shellcheck shell=bash
# The programs that tests and benches stand beside: a real API server with its etcd, the real
# kube-proxy, kubectl, helm and promtool; and a client and a brain in Go, of this tree, which speak the API with another gRPC.
# They are built with the Go module registry, once, into a cache outside the tree.

kubernetes_version=1.37.1
etcd_version=3.7.3
helm_version=3.22.0
peers=${PORTOLAN_PEERS:-${XDG_CACHE_HOME:-$HOME/.cache}/portolan/peers}

# Each program of others: its name and version in the cache, its Go module, and the package in that module.
foreign_peers=(
  "etcd-$etcd_version" go.etcd.io/etcd/server/v3 ''
  "kube-apiserver-$kubernetes_version" k8s.io/kubernetes cmd/kube-apiserver
  "kube-proxy-$kubernetes_version" k8s.io/kubernetes cmd/kube-proxy
  "kubectl-$kubernetes_version" k8s.io/kubernetes cmd/kubectl
  "helm-$helm_version" helm.sh/helm/v3 cmd/helm
)

has_peers() {
  local i
  for ((i = 0; i < ${#foreign_peers[@]}; i += 3)); do
    [[ -x $peers/${foreign_peers[i]} ]] || return 1
  done
}

# Each program of this tree: its name in the cache, and its folder.
own_peers=(
  go-print-state examples/go-print-state
  go-brain workshop/testkit/src/main/go/brain
)

has_own_peers() {
  local i
  for ((i = 0; i < ${#own_peers[@]}; i += 2)); do
    [[ -x $peers/${own_peers[i]}-$(fingerprint "${own_peers[i + 1]}") ]] || return 1
  done
}

# fingerprint FOLDER: what tells the program of a folder from the one of other sources. The class
# GoProgram of the testkit knows it too.
fingerprint() {
  local LC_ALL=C
  (cd "$root" && cat "$1"/*.go "$1"/go.{mod,sum} api/messages/src/main/proto/{global,local}v1/api.proto) | sha256sum | cut -c -12
}

# Gets promtool, which checks alerts and metrics, out of Debian's package of that name, or of prometheus where that has it;
# nothing is installed, and no server starts.
need_promtool() {
  local work version download=(apt-get -qq download -o APT::Sandbox::User=root)
  ! compgen -G "$peers/promtool-*" >/dev/null || return 0
  if ! type -P apt-get >/dev/null || ! type -P dpkg-deb >/dev/null; then
    say "no promtool to check alerts with: put promtool-VERSION into $peers"
    return 0
  fi
  say "downloading promtool (19 MB)"
  mkdir -p "$peers"
  work=$(mktemp -d)
  if (cd "$work" && apt-get -qq update && { "${download[@]}" promtool || "${download[@]}" prometheus; } &&
    dpkg-deb -x ./*.deb files && [[ -x files/usr/bin/promtool ]]) >"$work/log" 2>&1; then
    version=$(dpkg-deb -f "$work"/*.deb Version | sed 's/[^0-9.].*//')
    install "$work/files/usr/bin/promtool" "$peers/promtool-$version"
  else
    tail -n 20 "$work/log" >&2
    say "no promtool to check alerts with: could not get Debian's package"
  fi
  rm -rf "$work"
}

build_peers() {
  need_promtool
  if has_peers && has_own_peers; then
    say "the peers are built: $peers"
    return
  fi
  type -P go >/dev/null || fail "the peers need Go: install it, or put the programs into $peers."
  mkdir -p "$peers"
  local started=$SECONDS i
  for ((i = 0; i < ${#foreign_peers[@]}; i += 3)); do
    build_peer "${foreign_peers[@]:i:3}"
  done
  for ((i = 0; i < ${#own_peers[@]}; i += 2)); do
    build_own_peer "${own_peers[i]}" "${own_peers[i + 1]}"
  done
  say "the peers are built, in $((SECONDS - started)) s: $peers"
}

# build_peer NAME-VERSION MODULE PACKAGE [COMMAND…]: builds a program of a module at its version, with 'go build' or
# this command.
build_peer() {
  local name=$1 module=$2 package=$3 version=${1##*-} command=("${@:4}") work
  ((${#command[@]} > 0)) || command=(go build)
  [[ ! -x $peers/$name ]] || return 0
  say "building $name (this takes some minutes)"
  work=$(mktemp -d)
  (
    cd "$work"
    export GOFLAGS=-mod=mod CGO_ENABLED=0
    go mod init peer
    go mod edit -require "$module@v$version"
    pin_staging "$module" "$version"
    "${command[@]}" -ldflags "-s -w -X k8s.io/component-base/version.gitVersion=v$version" \
      -o "$peers/$name.new" "$module${package:+/$package}"
  ) >"$work/log" 2>&1 || {
    tail -n 20 "$work/log" >&2
    rm -rf "$work"
    fail "could not build $name."
  }
  mv "$peers/$name.new" "$peers/$name"
  rm -rf "$work"
}

# build_own_peer NAME FOLDER: builds a program of this tree, with the messages of the API in Go.
build_own_peer() {
  local name=$1 folder=$root/$2 program protoc work module
  program=$peers/$name-$(fingerprint "$2")
  [[ ! -x $program ]] || return 0
  find_protoc
  say "building ${program##*/}"
  find "$peers" -name "$name-*" -mtime +30 -delete
  work=$(mktemp -d)
  (
    cp "$folder"/*.go "$folder"/go.{mod,sum} "$work"
    cd "$work"
    export CGO_ENABLED=0
    module=$(go list -m)
    "$protoc" -I "$root/api/messages/src/main/proto" --plugin=protoc-gen-go="$(go tool -n protoc-gen-go)" \
      --go_out=. --go_opt=module="$module" \
      --go_opt=Mlocalv1/api.proto="$module/localv1" --go_opt=Mglobalv1/api.proto="$module/globalv1" \
      localv1/api.proto globalv1/api.proto
    go vet . && go build -ldflags "-s -w" -o "$program.new" .
  ) >"$work/log" 2>&1 || {
    tail -n 20 "$work/log" >&2
    rm -rf "$work"
    fail "could not build $name."
  }
  mv "$program.new" "$program"
  rm -rf "$work"
}

# Sets $protoc, the compiler of messages: the one that Maven runs too.
find_protoc() {
  local version copied
  version=$(sed -n 's/.*<protobuf.version>\(.*\)<\/protobuf.version>.*/\1/p' "$root/pom.xml")
  protoc=$peers/protoc-$version
  [[ ! -x $protoc ]] || return 0
  need_jdk
  copied=$(mktemp -d)
  maven -q --batch-mode --non-recursive dependency:copy "-DoutputDirectory=$copied" \
    "-Dartifact=com.google.protobuf:protoc:$version:exe:linux-$(uname -m | sed s/aarch64/aarch_64/)" ||
    fail "could not get protoc $version."
  install "$copied"/protoc-* "$protoc"
  rm -rf "$copied"
}

# Kubernetes names its own libraries at v0.0.0; they are published as v0.MINOR.PATCH.
pin_staging() {
  local file library
  file=$(go mod download -json "$1@v$2" | sed -n 's/^\t"GoMod": "\(.*\)",\?$/\1/p')
  while read -r library; do
    go mod edit -replace "$library=$library@v0.${2#*.}"
  done < <(sed -n 's/^\t\(k8s\.io\/[^ ]*\) v0\.0\.0\( .*\)\?$/\1/p' "$file")
}
