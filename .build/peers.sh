# shellcheck shell=bash
# The programs that tests and benches stand beside: a real API server with its etcd, and the real
# kube-proxy. They are built from the Go module registry, once, into a cache outside the tree.

kubernetes_version=1.37.1
etcd_version=3.7.3
peers=${PORTOLAN_PEERS:-${XDG_CACHE_HOME:-$HOME/.cache}/portolan/peers}

has_peers() {
  local peer
  for peer in "etcd-$etcd_version" "kube-apiserver-$kubernetes_version" "kube-proxy-$kubernetes_version"; do
    [[ -x $peers/$peer ]] || return 1
  done
}

build_peers() {
  if has_peers; then
    say "the peers are built: $peers"
    return
  fi
  type -P go >/dev/null || fail "the peers need Go: install it, or put the programs into $peers."
  mkdir -p "$peers"
  local started=$SECONDS
  build_peer "etcd-$etcd_version" go.etcd.io/etcd/server/v3
  build_peer "kube-apiserver-$kubernetes_version" k8s.io/kubernetes cmd/kube-apiserver
  build_peer "kube-proxy-$kubernetes_version" k8s.io/kubernetes cmd/kube-proxy
  say "the peers are built, in $((SECONDS - started)) s: $peers"
}

# build_peer NAME-VERSION MODULE [PACKAGE]: builds a program of a module at its version.
build_peer() {
  local name=$1 module=$2 package=${3:-} version=${1##*-} work
  [[ ! -x $peers/$name ]] || return 0
  say "building $name (this takes some minutes)"
  work=$(mktemp -d)
  (
    cd "$work"
    export GOFLAGS=-mod=mod CGO_ENABLED=0
    go mod init peer
    go mod edit -require "$module@v$version"
    pin_staging "$module" "$version"
    go build -ldflags "-s -w -X k8s.io/component-base/version.gitVersion=v$version" \
      -o "$peers/$name.new" "$module${package:+/$package}"
  ) >"$work/log" 2>&1 || {
    tail -n 20 "$work/log" >&2
    rm -rf "$work"
    fail "could not build $name."
  }
  mv "$peers/$name.new" "$peers/$name"
  rm -rf "$work"
}

# Kubernetes names its own libraries at v0.0.0; they are published as v0.MINOR.PATCH.
pin_staging() {
  local file library
  file=$(go mod download -json "$1@v$2" | sed -n 's/^\t"GoMod": "\(.*\)",\?$/\1/p')
  while read -r library; do
    go mod edit -replace "$library=$library@v0.${2#*.}"
  done < <(sed -n 's/^\t\(k8s\.io\/[^ ]*\) v0\.0\.0\( .*\)\?$/\1/p' "$file")
}
