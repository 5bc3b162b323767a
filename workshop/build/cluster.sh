# shellcheck shell=bash
# A real cluster on this machine, made by kubeadm: nodes in network namespaces without a way out, each with its
# own containerd and kubelet, and Portolan on them, installed with the manifests and the image of this tree.
#
# All of it are processes in namespaces of their own, one per node and one for the switch between them, and a
# folder. Killing these processes ends everything that runs in them.

containerd_version=2.4.2
# What Kubernetes of this version is tested with.
coredns_version=1.14.6
agnhost_version=2.66.1
ginkgo_version=2.32.0
# Further images that upstream's tests use: two for the programs of a Debian, and one of its own.
e2e_debian_images='registry.k8s.io/build-image/distroless-iptables:v0.9.7 registry.k8s.io/e2e-test-images/busybox:1.37.0-2'
e2e_conntrack_image=registry.k8s.io/e2e-test-images/regression-issue-74839:1.5
cluster=$root/target/cluster
nodes=(node-1 node-2)

# What a node has from Debian; runc, the CNI plugins and catatonit are the cluster's, the rest is for Kubernetes
# and for tests.
node_packages=(
  bash dash coreutils grep sed mawk findutils mount util-linux kmod procps
  runc containernetworking-plugins catatonit
  iproute2 iptables nftables conntrack busybox wget curl netcat-openbsd socat
)

# Which of upstream's tests say something about a service proxy, and which of these need more than the cluster has: a
# cloud, DNS from elsewhere, IPv6, feature gates, or a disturbance of the whole cluster.
e2e_focus='\[sig-network\] (Services|Endpoint|Conntrack|HostPort|KubeProxy|LocalhostNodePorts|Networking|NoSNAT|Connectivity|Service |Topology|Traffic|API Server)'
e2e_skip='\[Feature:|\[FeatureGate:|\[Serial\]|\[Disruptive\]|\[Slow\]|\[Alpha\]|LoadBalancer|DNS|IPv6|SSH|Internet'

cluster_usage() {
  cat <<'END'
usage: ./dev cluster VERB

  up [PROXY [MODE]]     start it, with Portolan's DaemonSet (own), with kube-proxy's that
                        is taken over (takeover), with kube-proxy or none
  down                  stop it and delete it
  smoke                 start it, check that a service answers, stop it
  takeover [MODE]       replace kube-proxy with Portolan and back, under traffic
  e2e [REGEX]           run upstream's tests of services in the cluster that is up
  run COMMAND...        run a command beside the nodes, as in 'run kubectl get nodes'
  on NODE COMMAND...    run a command on a node, as in 'on node-1 nft list ruleset'
END
}

# ---- what the cluster is made of

# The programs of nodes and of the control plane that are neither Debian's nor other tests' peers.
cluster_peers=(
  "kubelet-$kubernetes_version" k8s.io/kubernetes cmd/kubelet
  "containerd-$containerd_version" github.com/containerd/containerd/v2 cmd/containerd
  "containerd-shim-runc-v2-$containerd_version" github.com/containerd/containerd/v2 cmd/containerd-shim-runc-v2
  "ctr-$containerd_version" github.com/containerd/containerd/v2 cmd/ctr
  "kube-controller-manager-$kubernetes_version" k8s.io/kubernetes cmd/kube-controller-manager
  "kube-scheduler-$kubernetes_version" k8s.io/kubernetes cmd/kube-scheduler
  "kubeadm-$kubernetes_version" k8s.io/kubernetes cmd/kubeadm
  "coredns-$coredns_version" github.com/coredns/coredns ''
  "agnhost-$kubernetes_version" k8s.io/kubernetes test/images/agnhost
  "e2e-conntrack-$kubernetes_version" k8s.io/kubernetes test/images/regression-issue-74839
)

has_cluster_peers() {
  local i
  for ((i = 0; i < ${#cluster_peers[@]}; i += 3)); do
    [[ -x $peers/${cluster_peers[i]} ]] || return 1
  done
  has_peers
}

build_cluster_peers() {
  local i
  build_peers
  for ((i = 0; i < ${#cluster_peers[@]}; i += 3)); do
    build_peer "${cluster_peers[@]:i:3}"
  done
}

# build_e2e: upstream's tests of a cluster.
build_e2e() {
  mkdir -p "$peers"
  build_peer "ginkgo-$ginkgo_version" github.com/onsi/ginkgo/v2 ginkgo
  build_peer "e2e-$kubernetes_version" k8s.io/kubernetes test/e2e go test -c
}

# Sets $tree: a folder with the Debian system that nodes have for their root, and that images of upstream's
# programs stand on. It is unpacked, not installed: no script of a package runs.
need_tree() {
  local work package program
  tree=$peers/debian-$({ declare -f need_tree && printf '%s\n' "${node_packages[@]}"; } | sha256sum | cut -c -12)
  [[ ! -d $tree ]] || return 0
  type -P apt-get >/dev/null || fail "a node is made of Debian's packages, which apt-get gets."
  say "unpacking Debian's packages for the nodes"
  work=$(mktemp -d -p "$peers")
  mkdir -p "$work/packages/partial" "$work/tree"
  # An empty status has apt fetch all that the packages depend on.
  apt-get -qq install --yes --download-only --no-install-recommends -o Dir::State::status=/dev/null \
    -o "Dir::Cache::archives=$work/packages" -o APT::Sandbox::User=root -o Debug::NoLocking=1 \
    "${node_packages[@]}" >"$work/log" 2>&1 || {
    tail -n 20 "$work/log" >&2
    rm -rf "$work"
    fail "could not get Debian's packages."
  }
  for package in "$work"/packages/*.deb; do
    dpkg-deb -x "$package" "$work/tree"
  done
  rm -rf "$work"/tree/usr/share/{doc,info,locale,man,perl}
  # What the packages' scripts would have set up.
  for program in {iptables,ip6tables}{,-save,-restore}; do
    ln -s xtables-nft-multi "$work/tree/usr/sbin/$program"
  done
  ln -s mawk "$work/tree/usr/bin/awk"
  ln -s ../../bin/busybox "$work/tree/usr/bin/nslookup"
  ln -s nc.openbsd "$work/tree/bin/nc"
  # Upstream's image has a wget that does not try again.
  echo 'tries = 1' >>"$work/tree/etc/wgetrc"
  echo 'root:x:0:0:root:/root:/bin/bash' >"$work/tree/etc/passwd"
  echo 'root:x:0:' >"$work/tree/etc/group"
  mv "$work/tree" "$tree"
  rm -rf "$work"
}

# need_images: sets $images, a folder with the images of upstream's programs as archives that containerd imports.
need_images() {
  local work program
  images=$peers/images-$({ declare -f need_images write_image && printf '%s\n' "$tree" "${cluster_peers[@]}"; } | sha256sum | cut -c -12)
  [[ ! -d $images ]] || return 0
  say "making the images of upstream's programs"
  work=$(mktemp -d -p "$peers")
  mkdir "$work/images"
  tar -C "$tree" --exclude ./usr/lib/cni --exclude ./usr/sbin/runc -cf "$work/debian.tar" .
  for program in kube-apiserver kube-controller-manager kube-scheduler; do
    write_image "$(kubeadm_image "$program")" "" "$peers/$program-$kubernetes_version" "/usr/local/bin/$program"
  done
  write_image "$(kubeadm_image etcd)" "" "$peers/etcd-$etcd_version" /usr/local/bin/etcd
  write_image "$(kubeadm_image coredns)" "" "$peers/coredns-$coredns_version" /coredns '"Entrypoint": ["/coredns"]'
  write_image "$(kubeadm_image kube-proxy) $e2e_debian_images" "$work/debian.tar" "$peers/kube-proxy-$kubernetes_version" /usr/local/bin/kube-proxy
  write_image "$(kubeadm_image pause)" "" "$tree/usr/bin/catatonit" /pause '"Entrypoint": ["/pause", "-P"]'
  write_image "registry.k8s.io/e2e-test-images/agnhost:$agnhost_version" "$work/debian.tar" \
    "$peers/agnhost-$kubernetes_version" /agnhost '"Entrypoint": ["/agnhost"], "Cmd": ["pause"]'
  write_image "$e2e_conntrack_image" "" "$peers/e2e-conntrack-$kubernetes_version" /main '"Entrypoint": ["/main"]'
  rm -rf "$peers"/images-*
  mv "$work/images" "$images"
  rm -rf "$work"
}

# kubeadm_image PROGRAM: the name under which kubeadm looks for the image of a program.
kubeadm_image() {
  "$peers/kubeadm-$kubernetes_version" config images list --kubernetes-version "v$kubernetes_version" 2>/dev/null |
    grep "/$1:"
}

# write_image NAMES BASE PROGRAM PATH [CONFIG]: writes an OCI archive with one program, on the layer BASE if it isn't
# empty. CONFIG are fields of the image's configuration in JSON.
write_image() {
  local names=$1 name entries=() base=$2 program=$3 path=$4 fields=${5:-} layers=() descriptors=() diffs=() layer config manifest
  local type=application/vnd.oci.image work=$work/image
  rm -rf "$work"
  mkdir -p "$work/blobs/sha256" "$work/layer${path%/*}"
  cp "$program" "$work/layer$path"
  tar -C "$work/layer" -cf "$work/layer.tar" .
  [[ -z $base ]] || layers+=("$base")
  layers+=("$work/layer.tar")
  for layer in "${layers[@]}"; do
    descriptors+=("$(blob "$type.layer.v1.tar" "$layer")")
    diffs+=("\"sha256:$(sha256sum <"$layer" | cut -c -64)\"")
  done
  config=$(printf '{"architecture": "%s", "os": "linux", "config": {"Env": ["PATH=%s"]%s},
    "rootfs": {"type": "layers", "diff_ids": [%s]}}' "$(dpkg --print-architecture)" \
    /usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin "${fields:+, $fields}" "$(commas "${diffs[@]}")")
  manifest=$(printf '{"schemaVersion": 2, "mediaType": "%s.manifest.v1+json", "config": %s, "layers": [%s]}' \
    "$type" "$(blob "$type.config.v1+json" <(echo "$config"))" "$(commas "${descriptors[@]}")")
  manifest=$(blob "$type.manifest.v1+json" <(echo "$manifest"))
  for name in $names; do
    entries+=("${manifest%\}}, \"annotations\": {\"io.containerd.image.name\": \"$name\"}}")
  done
  printf '{"schemaVersion": 2, "manifests": [%s]}' "$(commas "${entries[@]}")" >"$work/index.json"
  echo '{"imageLayoutVersion": "1.0.0"}' >"$work/oci-layout"
  tar -C "$work" -cf "$work/../images/$(basename "$program").tar" oci-layout index.json blobs
}

# blob TYPE FILE: puts a file among the blobs of the image, and prints what refers to it.
blob() {
  local sum
  cp "$2" "$work/blob"
  sum=$(sha256sum <"$work/blob" | cut -c -64)
  printf '{"mediaType": "%s", "digest": "sha256:%s", "size": %s}' "$1" "$sum" "$(stat -c %s "$work/blob")"
  mv "$work/blob" "$work/blobs/sha256/$sum"
}

commas() {
  local IFS=,
  echo "$*"
}

# ---- nodes

# Runs a command beside the nodes: in the namespace of the switch, with the administrator's kubeconfig.
outside() {
  KUBECONFIG=$cluster/admin.conf PATH=$cluster/bin:$PATH nsenter -n -t "$(<"$cluster/switch.pid")" -- "$@"
}

kubectl() { outside kubectl "$@"; }

# on NODE COMMAND…: runs a command on a node.
on() {
  nsenter -a -t "$(<"$cluster/$1.pid")" -- env -i TERM="${TERM:-dumb}" HOME=/root KUBECONFIG=/etc/kubernetes/admin.conf \
    PATH=/usr/local/bin:/usr/local/sbin:/usr/sbin:/usr/bin:/sbin:/bin "${@:2}"
}

# wait_for SECONDS WHAT COMMAND…: tries a command until it succeeds.
wait_for() {
  local deadline=$((SECONDS + $1)) what=$2
  shift 2
  until "$@" >"$cluster/waiting.log" 2>&1; do
    if ((SECONDS > deadline)); then
      tail -n 20 "$cluster/waiting.log" >&2
      fail "$what: it took too long."
    fi
    sleep 0.2
  done
}

# spawn NAME COMMAND…: starts a process that ends only with the cluster, in cgroups of its own, and notes its id.
spawn() {
  local name=$1
  shift
  (
    join_cgroups "$name"
    exec setsid "$@"
  ) </dev/null >"$cluster/$name.log" 2>&1 &
  echo $! >"$cluster/$name.pid"
  disown # bash has nothing to say when it ends
}

# Prints the cgroups that the cluster's go below: the root in version 2, this process's own in version 1, which has
# one hierarchy per controller.
own_cgroups() {
  if [[ -e /sys/fs/cgroup/cgroup.controllers ]]; then
    echo /sys/fs/cgroup
  else
    sed -n 's/^[1-9][0-9]*:\(name=\)\?\([^:]*\):\(.*\)/\/sys\/fs\/cgroup\/\2\3/p' /proc/self/cgroup
  fi
}

# join_cgroups NAME: moves this process into cgroups of this name, below one for the cluster.
join_cgroups() {
  local own group file
  while read -r own; do
    own=${own%/} group=${own%/}/portolan-cluster/$1
    mkdir -p "$group"
    for file in cpuset.{cpus,mems}; do
      [[ ! -e $own/$file ]] || tee "${group%/*}/$file" "$group/$file" <"$own/$file" >/dev/null
    done
    if [[ $own == /sys/fs/cgroup ]]; then
      delegate "$own"
      delegate "$own/portolan-cluster"
    fi
    echo "$BASHPID" >"$group/cgroup.procs"
  done < <(own_cgroups)
}

# delegate GROUP: lets the groups below one use its controllers; version 2 only.
delegate() {
  sed 's/\(^\| \)/\1+/g' "$1/cgroup.controllers" >"$1/cgroup.subtree_control"
}

start_switch() {
  spawn switch unshare --net sleep infinity
  wait_for 10 "a network namespace" has_own_network "$(<"$cluster/switch.pid")"
  outside sh -ec '
    sysctl -qw net.bridge.bridge-nf-call-iptables=0 2>/dev/null || true
    ip link set lo up
    ip link add switch type bridge
    ip address add 172.18.0.1/24 dev switch
    ip link set switch up'
}

has_own_network() {
  [[ $(readlink "/proc/$1/ns/net") != "$(readlink /proc/self/ns/net)" ]]
}

# write_system NAME FOLDER: writes what a node has besides Debian.
write_system() {
  local name=$1 system=$2 program
  mkdir -p "$system"/usr/local/{bin,sbin} "$system"/etc/{containerd,cni/net.d,kubernetes/manifests} "$system"/{opt/peers,lib/modules}
  for program in {kubelet,kubeadm,kubectl}-$kubernetes_version {containerd,containerd-shim-runc-v2,ctr}-$containerd_version; do
    ln -s "/opt/peers/$program" "$system/usr/local/bin/${program%-*}"
  done
  install "$root/workshop/build/cluster/services.sh" "$system/usr/local/sbin/node-services"
  cp "$root/workshop/build/cluster/containerd.toml" "$system/etc/containerd/config.toml"
  sed "s/NODE_NAME/$name/; s/NODE_IP/$(node_ip "$name")/; s/KUBERNETES_VERSION/$kubernetes_version/; s/PROXY_MODE/$mode/" \
    "$root/workshop/build/cluster/kubeadm.yaml" >"$system/etc/kubeadm.yaml"
  echo "$name" >"$system/etc/hostname"
  echo '127.0.0.1 localhost' >"$system/etc/hosts"
  echo 'nameserver 172.18.0.1' >"$system/etc/resolv.conf"
  sha256sum <<<"$name" | cut -c -32 >"$system/etc/machine-id"
}

# start_node NAME: starts a node without Kubernetes: its system, its network, containerd.
start_node() {
  local name=$1 parent
  write_system "$name" "$cluster/$name/upper"
  PEERS=$peers spawn "$name" \
    unshare --mount --propagation private --net --uts --ipc --pid --cgroup --fork --kill-child \
    "$root/workshop/build/cluster/node.sh" "$cluster/$name" "$tree"
  parent=$(<"$cluster/$name.pid")
  wait_for 10 "the first process of $name" first_process "$parent"
  first_process "$parent" >"$cluster/$name.pid"
  wait_for 10 "the root of $name" on "$name" test -e /run/ready
  outside ip link add "$name" type veth peer name eth0 netns "$(<"$cluster/$name.pid")"
  outside ip link set "$name" master switch up
  on "$name" sh -ec "
    sysctl -qw net.ipv4.ip_forward=1
    sysctl -qw net.bridge.bridge-nf-call-iptables=1
    ip link set lo up
    ip address add $(node_ip "$name")/24 dev eth0
    ip link set eth0 up
    ip route add default via 172.18.0.1"
}

# first_process PID: prints the id of the process that unshare, which has this id, started.
first_process() {
  [[ $(<"/proc/$1/comm") == unshare ]] && pgrep -P "$1"
}

# import NAME ARCHIVE…: gives images to a node.
import() {
  local name=$1 archive
  shift
  wait_for 30 "containerd of $name" on "$name" ctr version
  for archive in "$@"; do
    on "$name" ctr -n k8s.io images import - <"$archive" >>"$cluster/$name.images.log" 2>&1 || {
      tail -n 5 "$cluster/$name.images.log" >&2
      fail "could not import $archive on $name."
    }
  done
}

# connect_pods: gives each node a network for its pods, and routes to those of the others.
connect_pods() {
  local name other pods
  for name in "${nodes[@]}"; do
    wait_for 60 "a pod CIDR for $name" pod_cidr "$name"
    pods=$(pod_cidr "$name")
    for other in switch "${nodes[@]}"; do
      [[ $other == "$name" ]] || on_or_outside "$other" ip route add "$pods" via "$(node_ip "$name")"
    done
    sed "s:POD_CIDR:$pods:" "$root/workshop/build/cluster/cni.json" |
      on "$name" sh -c 'mkdir -p /etc/cni/net.d && cat >/etc/cni/net.d/pods.conflist'
  done
}

on_or_outside() {
  if [[ $1 == switch ]]; then outside "${@:2}"; else on "$@"; fi
}

pod_cidr() {
  kubectl get node "$1" -o 'jsonpath={.spec.podCIDR}' | grep .
}

node_ip() { echo "172.18.0.1${1#node-}"; }

# ---- what runs in it

# Sets $version and $architecture, those of the images, and builds these if something is newer than they are.
need_portolan_images() {
  local archive
  architecture=$(dpkg --print-architecture)
  version=$(sed -n 's/.*<revision>\(.*\)<\/revision>.*/\1/p' "$root/pom.xml")
  archive=$root/dist/portolan-$version-iptables-linux-$architecture.oci.tar
  if [[ ! -e $archive || -n $(find "$root" -path '*/src/main/*' -type f -newer "$archive" -print -quit) ]]; then
    "$root/dev" image
  fi
}

# install_own: Portolan as docs/install.md says for a cluster without kube-proxy, with the two lines changed.
install_own() {
  cp -r "$root/deploy/kustomize" "$cluster/kustomize"
  sed -i 's|https://api-server.example:6443|https://172.18.0.11:6443|' "$cluster/kustomize/overlays/own/kubeconfig.conf"
  sed -i "s|newTag: .*|newTag: $version|" "$cluster/kustomize/overlays/own/kustomization.yaml"
  # These settings would be for the whole machine.
  echo 'conntrack: {maxPerCore: 0, min: 0}' >>"$cluster/kustomize/overlays/own/config.conf"
  kubectl apply -k "$cluster/kustomize/overlays/own" >/dev/null
  kubectl -n kube-system rollout status ds/portolan --timeout=120s >/dev/null
}

# install_kube_proxy: kube-proxy as kubeadm installs it.
install_kube_proxy() {
  on node-1 kubeadm init phase addon kube-proxy --config /etc/kubeadm.yaml >/dev/null 2>&1
  kubectl -n kube-system rollout status ds/kube-proxy --timeout=120s >/dev/null
}

# install_takeover: Portolan in the place of that kube-proxy.
install_takeover() {
  install_kube_proxy
  cp -r "$root/deploy/kustomize" "$cluster/kustomize"
  sed -i "s|newTag: .*|newTag: $version-iptables|" "$cluster/kustomize/overlays/takeover/kustomization.yaml"
  kubectl apply -k "$cluster/kustomize/overlays/takeover" >/dev/null 2>&1
  kubectl -n kube-system rollout status ds/kube-proxy --timeout=180s >/dev/null
}

# start_web: a service, and clients of it.
start_web() {
  sed "s/AGNHOST_VERSION/$agnhost_version/" "$root/workshop/build/cluster/web.yaml" | kubectl apply -f - >/dev/null
  kubectl rollout status deployment/web --timeout=120s >/dev/null
  kubectl rollout status ds/client --timeout=120s >/dev/null
}

# pod_of APP NODE: prints the name of an application's pod on a node.
pod_of() {
  kubectl get pod -l "app=$1" --field-selector "spec.nodeName=$2" -o 'jsonpath={.items[0].metadata.name}'
}

# fails WHAT: what went wrong, with the last words of all that runs.
cluster_fails() {
  local name
  set +e
  say "$*"
  {
    kubectl get nodes,pods -A -o wide
    kubectl -n kube-system logs -l 'app.kubernetes.io/name=portolan' --tail=20 --prefix
    kubectl -n kube-system logs -l k8s-app=kube-proxy --tail=20 --prefix
  } 2>&1 | sed 's/^/| /' >&2
  for name in "${nodes[@]}"; do
    sed "s/^/$name | /" "$cluster/$name.log" | tail -n 5 >&2
    on "$name" sh -c 'grep ^[EF] /var/log/kubelet.log | tail -n 5; grep level=error /var/log/containerd.log | tail -n 5' |
      cut -c -300 | sed "s/^/$name | /" >&2
  done
}

# ---- verbs

# cluster_up PROXY MODE
cluster_up() {
  local name started=$SECONDS proxy=${1:-own} mode=${2:-nftables}
  [[ $EUID == 0 ]] || fail "a cluster needs root, for namespaces and mounts."
  [[ ! -e $cluster && -z $(cluster_groups) ]] || fail "a cluster is up, or was: ./dev cluster down."
  [[ $proxy =~ ^(own|takeover|kube-proxy|none)$ ]] || fail "up takes own, takeover, kube-proxy or none."
  [[ $mode == nftables || $mode == iptables && $proxy != own ]] || fail "up takes the modes nftables and iptables, the latter not for own."
  has_cluster_peers || build_cluster_peers
  need_tree
  need_images
  [[ $proxy == none ]] || need_portolan_images
  mkdir -p "$cluster/bin"
  ln -s "$peers/kubectl-$kubernetes_version" "$cluster/bin/kubectl"
  start_switch
  for name in "${nodes[@]}"; do
    start_node "$name"
  done
  import node-1 "$images"/*.tar
  say "node-1: kubeadm init"
  on node-1 kubeadm init --config /etc/kubeadm.yaml >"$cluster/kubeadm.log" 2>&1 || {
    tail -n 30 "$cluster/kubeadm.log" >&2
    fail "kubeadm init failed."
  }
  on node-1 cat /etc/kubernetes/admin.conf >"$cluster/admin.conf"
  for name in "${nodes[@]:1}"; do
    import "$name" "$images"/{kube-proxy,catatonit,agnhost,coredns,e2e}*.tar
    say "$name: kubeadm join"
    on "$name" kubeadm join --config /etc/kubeadm.yaml >"$cluster/kubeadm.log" 2>&1 || {
      tail -n 30 "$cluster/kubeadm.log" >&2
      fail "kubeadm join failed."
    }
  done
  connect_pods
  for name in "${nodes[@]}"; do
    [[ $proxy == none ]] || import "$name" "$root/dist/portolan-$version"{,-iptables}"-linux-$architecture.oci.tar"
  done
  kubectl wait --for=condition=Ready nodes --all --timeout=120s >/dev/null
  case $proxy in
    own) install_own ;;
    takeover) install_takeover ;;
    kube-proxy) install_kube_proxy ;;
  esac
  say "the cluster is up with $proxy, after $((SECONDS - started)) s: ./dev cluster run kubectl get pods -A"
}

# Prints the cgroups of the cluster.
cluster_groups() {
  find /sys/fs/cgroup -type d -name portolan-cluster -prune
}

# Kills all processes of the cluster, which are those in its cgroups, and deletes these and its folder. Mounts and
# network namespaces go with their last process.
cluster_down() {
  local group
  while read -r group; do
    wait_for 20 "killing what runs in $group" kill_all "$group"
    find "$group" -depth -type d -exec rmdir {} +
  done < <(cluster_groups)
  rm -rf --one-file-system "$cluster"
}

# kill_all GROUP: kills the processes in a cgroup and those below; succeeds if none is left.
kill_all() {
  local processes
  mapfile -t processes < <(find "$1" -name cgroup.procs -exec cat {} +)
  ((${#processes[@]} == 0)) || {
    kill -KILL "${processes[@]}" || true
    return 1
  }
}

# cluster_smoke [--if-built]: whether a service answers, from pods and from outside.
cluster_smoke() {
  local started=$SECONDS name from pods
  if [[ ${1:-} == --if-built ]] && ! has_cluster_peers; then
    say "smoke: skipped, because the programs of a cluster are not built: ./dev peers builds them"
    return
  fi
  trap 'status=$?; ((status == 0)) || cluster_fails "smoke: failed, see below"; cluster_down; exit $status' EXIT
  cluster_up
  start_web
  kubectl -n kube-system exec ds/portolan -c kube-proxy -- portolan nodes
  pods=$(kubectl get pod -l app=web -o name | sed 's:^pod/::')
  for name in "${nodes[@]}"; do
    from=$(pod_of client "$name")
    answers "$pods" "pod on $name, cluster IP" kubectl exec "$from" -- curl -sS --max-time 5 -H Connection:close "http://$(cluster_ip web)/hostname?[1-20]"
    answers "$pods" "outside, nodePort of $name" outside curl -sS --max-time 5 -H Connection:close "http://$(node_ip "$name"):30080/hostname?[1-20]"
  done
  say "smoke: the image was imported, the daemons are ready, the service answers; $((SECONDS - started)) s"
}

cluster_ip() { kubectl get service "$1" -o 'jsonpath={.spec.clusterIP}'; }

# answers PODS WAY COMMAND…: whether the output of a command is answers of these pods, and of each of them.
answers() {
  local pods=$1 way=$2 output pod
  shift 2
  output=$("$@") || fail "smoke: $way: $output"
  for pod in $pods; do
    [[ $output == *"$pod"* ]] || fail "smoke: $way: $pod did not answer in: $output"
    output=${output//"$pod"/}
  done
  [[ -z ${output//[[:space:]]/} ]] || fail "smoke: $way: who is $output?"
}

# cluster_takeover MODE…: kube-proxy is replaced with Portolan and put back, in each of these modes, while connections are
# opened all the time, from pods and from outside. None may fail.
cluster_takeover() {
  local mode name
  (($# > 0)) || set -- nftables iptables
  for mode in "$@"; do
    [[ $mode =~ ^(nftables|iptables)$ ]] || fail "takeover takes the modes nftables and iptables."
  done
  trap 'status=$?; ((status == 0)) || cluster_fails "takeover: failed, see below"; stop_traffic; cluster_down; exit $status' EXIT
  cluster_up kube-proxy "$1"
  start_web
  # kube-proxy writes rules for it at most once a second: clients that connect before are refused.
  for name in "${nodes[@]}"; do
    wait_for 30 "an answer of web on $name" outside curl -sf --max-time 1 "http://$(node_ip "$name"):30080/hostname"
  done
  for mode in "$@"; do
    set_mode "$mode"
    start_traffic "$mode"
    step "kube-proxy" sleep 10
    step "set image: Portolan" set_proxy "portolan:$version-iptables"
    step "Portolan, another pod" add_pod
    step "set image: kube-proxy" set_proxy "$(kubeadm_image kube-proxy)"
    # The tables that Portolan left must not come first.
    step "kube-proxy, another pod" add_pod
    step "portolan cleanup" clean_nodes
    stop_traffic
  done
  takeover_table "$@"
}

# set_mode MODE: changes the mode of the kube-proxy that runs.
set_mode() {
  [[ $1 != "$(proxy_config | sed -n 's/.* mode: //p')" ]] || return 0
  proxy_config | sed "s/\( mode: \).*/\1$1/" | kubectl apply -f - >/dev/null 2>&1
  kubectl -n kube-system rollout restart ds/kube-proxy >/dev/null
  kubectl -n kube-system rollout status ds/kube-proxy --timeout=180s >/dev/null
}

proxy_config() { kubectl -n kube-system get configmap kube-proxy -o yaml; }

# set_proxy IMAGE: what a user does.
set_proxy() {
  kubectl -n kube-system set image ds/kube-proxy "kube-proxy=$1" >/dev/null
  kubectl -n kube-system rollout status ds/kube-proxy --timeout=180s >/dev/null
}

# clean_nodes: removes what Portolan left on the nodes, as docs/install.md says.
clean_nodes() {
  local name
  for name in "${nodes[@]}"; do
    kubectl -n kube-system debug "node/$name" --quiet --profile=netadmin "--image=portolan:$version-iptables" \
      --image-pull-policy=Never -- portolan cleanup
  done
  wait_for 60 "portolan cleanup" cleaned
}

cleaned() {
  local name
  for name in "${nodes[@]}"; do
    ! on "$name" nft list tables | grep -q portolan || return 1
  done
}

# add_pod: adds a pod to the service, and waits until clients on all nodes reach it: a proxy programs the nodes.
add_pod() {
  local pod
  kubectl scale deployment/web --replicas="$(($(kubectl get deployment web -o 'jsonpath={.spec.replicas}') + 1))" >/dev/null
  kubectl rollout status deployment/web --timeout=120s >/dev/null
  pod=$(kubectl get pod -l app=web --sort-by=.metadata.creationTimestamp -o 'jsonpath={.items[-1:].metadata.name}')
  wait_for 60 "answers of the new pod" all_reach "$pod"
}

all_reach() {
  local log
  for log in "$cluster/traffic/$mode"/*.log; do
    grep -q "$1" "$log" || return 1
  done
}

# start_traffic MODE: starts clients, in a pod of each node and outside.
start_traffic() {
  local name network web folder=$cluster/traffic/$1 python=$root/workshop/build/cluster/traffic.py
  web=$(cluster_ip web)
  mkdir -p "$folder"
  traffic=()
  for name in "${nodes[@]}"; do
    network=$(pod_network "$name")
    nsenter "--net=$network" python3 "$python" "pod=$web:80" >"$folder/$name.log" 2>&1 &
    traffic+=($!)
  done
  nsenter -n -t "$(<"$cluster/switch.pid")" python3 "$python" "outside=$(node_ip node-1):30080" "outside=$(node_ip node-2):30080" >"$folder/outside.log" 2>&1 &
  traffic+=($!)
}

stop_traffic() {
  local pid
  for pid in "${traffic[@]}"; do
    kill "$pid" 2>/dev/null && wait "$pid" || true
  done
  traffic=()
}

# pod_network NODE: the network namespace of the client's pod on a node.
pod_network() {
  local ip network
  ip=$(kubectl get pod "$(pod_of client "$1")" -o 'jsonpath={.status.podIP}')
  for network in "/proc/$(<"$cluster/$1.pid")/root/run/netns"/*; do
    if nsenter "--net=$network" ip -4 -o address | grep -qF " $ip/"; then
      echo "$network"
      return
    fi
  done
  fail "the pod $ip is not on $1."
}

# step NAME COMMAND…: notes when a step begins and ends.
step() {
  local name=$1 started=$EPOCHREALTIME
  shift
  say "$mode: $name"
  "$@"
  printf '%s\t%s\t%s\t%s\n' "$mode" "$name" "$started" "$EPOCHREALTIME" >>"$cluster/traffic/steps"
}

# Prints what became of the connections during each step, and fails if one of them failed.
takeover_table() {
  sort -s -k 1,1n "$cluster"/traffic/*/*.log | awk '
    BEGIN { FS = "\t" }
    FILENAME == ARGV[1] { mode[++steps] = $1; name[steps] = $2; from[steps] = $3; to[steps] = $4; next }
    { split($0, word, " "); begun = word[1] - word[4] / 1000 }
    word[3] !~ /^(new|kept)$/ { print > "/dev/stderr"; broken = 1; next }
    {
      for (i = 1; i <= steps; i++) if (begun >= from[i] && begun < to[i]) {
        count[i, word[3]]++
        if (word[4] > slowest[i]) slowest[i] = word[4]
        if (word[5] ~ /^failed:/) failed[i]++
      }
      if (word[5] ~ /^failed:/) { failures++; print "dev: " $0 > "/dev/stderr" }
    }
    END {
      printf "%-9s %-23s %7s %12s %8s %7s %8s\n", "MODE", "STEP", "SECONDS", "CONNECTIONS", "ON KEPT", "FAILED", "SLOWEST"
      for (i = 1; i <= steps; i++) {
        printf "%-9s %-23s %7.1f %12d %8d %7d %5d ms\n", mode[i], name[i], to[i] - from[i], count[i, "new"], count[i, "kept"], failed[i], slowest[i]
        if (count[i, "new"] == 0 || count[i, "kept"] == 0) broken = 1
      }
      exit failures > 0 || broken
    }' "$cluster/traffic/steps" - || fail "takeover: a connection failed, or a step had none."
  say "takeover: no connection failed"
}

# cluster_e2e REGEX: upstream's tests of services, against the proxy of the cluster that is up.
cluster_e2e() {
  local focus=${1:-$e2e_focus} report=$root/target/e2e status=0
  [[ -e $cluster/admin.conf ]] || fail "no cluster is up: ./dev cluster up."
  build_e2e
  mkdir -p "$report"
  ln -sf "$peers/e2e-$kubernetes_version" "$cluster/bin/e2e.test"
  say "running upstream's tests; the log is $report/log"
  outside "$peers/ginkgo-$ginkgo_version" --procs="${PROCS:-4}" --timeout=3h --flake-attempts=1 --no-color \
    --focus="$focus" --skip="$e2e_skip" --output-dir="$report" --json-report=report.json \
    "$cluster/bin/e2e.test" -- --provider=skeleton --kubeconfig="$cluster/admin.conf" --num-nodes="${#nodes[@]}" \
    --disable-log-dump >"$report/log" 2>&1 || status=$?
  python3 "$root/workshop/build/cluster/report.py" "$report/report.json" || fail "e2e: failed, see $report/log."
  return "$status"
}

cluster_verb() {
  local verb=${1:-help}
  case $verb in
    up) cluster_up "${@:2}" ;;
    down) cluster_down ;;
    smoke) cluster_smoke "${@:2}" ;;
    takeover) cluster_takeover "${@:2}" ;;
    e2e) cluster_e2e "${@:2}" ;;
    run) outside "${@:2}" ;;
    on) on "${@:2}" ;;
    help | -h | --help) cluster_usage ;;
    *)
      cluster_usage >&2
      fail "there is no verb '$verb' of cluster."
      ;;
  esac
}
