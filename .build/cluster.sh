# shellcheck shell=bash
# A real cluster on this machine, made by kubeadm: nodes in network namespaces without a way out, each with its
# own containerd and kubelet, and Portolan on them, installed with the manifests and the image of this tree.
#
# All of it are processes in namespaces of their own, one per node and one for the switch between them, and a
# folder. Killing these processes ends everything that runs in them.

containerd_version=2.4.2
agnhost_version=2.66.1
cluster=$root/target/cluster
nodes=(node-1 node-2)

# What a node has from Debian; runc, the CNI plugins and catatonit are the cluster's, the rest is for Kubernetes
# and for tests.
node_packages=(
  bash dash coreutils grep sed mawk findutils mount util-linux kmod procps
  runc containernetworking-plugins catatonit
  iproute2 iptables nftables conntrack curl netcat-openbsd socat
)

cluster_usage() {
  cat <<'END'
usage: ./dev cluster VERB

  up [none]             start the cluster with Portolan, or without a proxy
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
  "agnhost-$kubernetes_version" k8s.io/kubernetes test/images/agnhost
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
  build_peer "e2e-$kubernetes_version" k8s.io/kubernetes test/e2e go test -c
}

# Sets $tree: a folder with the Debian system that nodes have for their root, and that images of upstream's
# programs stand on. It is unpacked, not installed: no script of a package runs.
need_tree() {
  local work package program
  tree=$peers/debian-$(printf '%s\n' "${node_packages[@]}" | sha256sum | cut -c -12)
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
  ln -s nc.openbsd "$work/tree/bin/nc"
  echo 'root:x:0:0:root:/root:/bin/bash' >"$work/tree/etc/passwd"
  echo 'root:x:0:' >"$work/tree/etc/group"
  mv "$work/tree" "$tree"
  rm -rf "$work"
}

# need_images: sets $images, a folder with the images of upstream's programs as archives that containerd imports.
need_images() {
  local work program
  images=$peers/images-$kubernetes_version
  [[ ! -d $images ]] || return 0
  say "making the images of upstream's programs"
  work=$(mktemp -d -p "$peers")
  mkdir "$work/images"
  tar -C "$tree" --exclude ./usr/lib/cni --exclude ./usr/sbin/runc -cf "$work/debian.tar" .
  for program in kube-apiserver kube-controller-manager kube-scheduler; do
    write_image "$(kubeadm_image "$program")" "" "$peers/$program-$kubernetes_version" "/usr/local/bin/$program"
  done
  write_image "$(kubeadm_image etcd)" "" "$peers/etcd-$etcd_version" /usr/local/bin/etcd
  write_image "$(kubeadm_image kube-proxy)" "$work/debian.tar" "$peers/kube-proxy-$kubernetes_version" /usr/local/bin/kube-proxy
  write_image "$(kubeadm_image pause)" "" "$tree/usr/bin/catatonit" /pause '"/pause", "-P"'
  write_image "registry.k8s.io/e2e-test-images/agnhost:$agnhost_version" "$work/debian.tar" \
    "$peers/agnhost-$kubernetes_version" /agnhost '"/agnhost"'
  mv "$work/images" "$images"
  rm -rf "$work"
}

# kubeadm_image PROGRAM: the name under which kubeadm looks for the image of a program.
kubeadm_image() {
  "$peers/kubeadm-$kubernetes_version" config images list --kubernetes-version "v$kubernetes_version" 2>/dev/null |
    grep "/$1:"
}

# write_image NAME BASE PROGRAM PATH [ENTRYPOINT]: writes an OCI archive with one program, on the layer BASE if
# it isn't empty.
write_image() {
  local name=$1 base=$2 program=$3 path=$4 entrypoint=${5:-} layers=() descriptors=() diffs=() layer config manifest
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
  config=$(printf '{"architecture": "%s", "os": "linux", "config": {"Env": ["PATH=%s"], "Entrypoint": [%s]},
    "rootfs": {"type": "layers", "diff_ids": [%s]}}' "$(dpkg --print-architecture)" \
    /usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin "$entrypoint" "$(commas "${diffs[@]}")")
  manifest=$(printf '{"schemaVersion": 2, "mediaType": "%s.manifest.v1+json", "config": %s, "layers": [%s]}' \
    "$type" "$(blob "$type.config.v1+json" <(echo "$config"))" "$(commas "${descriptors[@]}")")
  printf '{"schemaVersion": 2, "manifests": [%s, "annotations": {"io.containerd.image.name": "%s"}}]}' \
    "$(blob "$type.manifest.v1+json" <(echo "$manifest") | sed 's/}$//')" "$name" >"$work/index.json"
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
  mkdir -p "$system"/usr/local/{bin,sbin} "$system"/etc/{containerd,cni/net.d} "$system"/{opt/peers,lib/modules}
  for program in {kubelet,kubeadm,kubectl}-$kubernetes_version {containerd,containerd-shim-runc-v2,ctr}-$containerd_version; do
    ln -s "/opt/peers/$program" "$system/usr/local/bin/${program%-*}"
  done
  install "$root/.build/cluster/services.sh" "$system/usr/local/sbin/node-services"
  cp "$root/.build/cluster/containerd.toml" "$system/etc/containerd/config.toml"
  sed "s/NODE_NAME/$name/; s/NODE_IP/$(node_ip "$name")/; s/KUBERNETES_VERSION/$kubernetes_version/; s/PROXY_MODE/$mode/" \
    "$root/.build/cluster/kubeadm.yaml" >"$system/etc/kubeadm.yaml"
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
    "$root/.build/cluster/node.sh" "$cluster/$name" "$tree"
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
    sed "s:POD_CIDR:$pods:" "$root/.build/cluster/cni.json" |
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

# ---- verbs

cluster_up() {
  local name started=$SECONDS
  [[ $EUID == 0 ]] || fail "a cluster needs root, for namespaces and mounts."
  [[ ! -e $cluster ]] || fail "a cluster is up, or was: ./dev cluster down."
  has_cluster_peers || build_cluster_peers
  need_tree
  need_images
  mkdir -p "$cluster/bin"
  ln -s "$peers/kubectl-$kubernetes_version" "$cluster/bin/kubectl"
  start_switch
  for name in "${nodes[@]}"; do
    start_node "$name"
  done
  import node-1 "$images"/*.tar
  say "node-1: kubeadm init"
  on node-1 kubeadm init --config /etc/kubeadm.yaml >"$cluster/kubeadm-init.log" 2>&1 || {
    tail -n 30 "$cluster/kubeadm-init.log" >&2
    fail "kubeadm init failed."
  }
  on node-1 cat /etc/kubernetes/admin.conf >"$cluster/admin.conf"
  for name in "${nodes[@]:1}"; do
    import "$name" "$images"/{kube-proxy,catatonit,agnhost}*.tar
    say "$name: kubeadm join"
    on "$name" kubeadm join --config /etc/kubeadm.yaml >"$cluster/kubeadm-join.log" 2>&1 || {
      tail -n 30 "$cluster/kubeadm-join.log" >&2
      fail "kubeadm join failed."
    }
  done
  connect_pods
  kubectl wait --for=condition=Ready nodes --all --timeout=120s >/dev/null
  say "the cluster is up after $((SECONDS - started)) s; ./dev cluster run kubectl get nodes"
}

# Kills all processes of the cluster, which are those in its cgroups, and deletes these and its folder. Mounts and
# network namespaces go with their last process.
cluster_down() {
  local group
  while read -r group; do
    wait_for 20 "killing what runs in $group" kill_all "$group"
    find "$group" -depth -type d -exec rmdir {} +
  done < <(find /sys/fs/cgroup -type d -name portolan-cluster -prune)
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

cluster_verb() {
  local verb=${1:-help}
  mode=nftables
  case $verb in
    up) cluster_up "${@:2}" ;;
    down) cluster_down ;;
    run) outside "${@:2}" ;;
    on) on "${@:2}" ;;
    help | -h | --help) cluster_usage ;;
    *)
      cluster_usage >&2
      fail "there is no verb '$verb' of cluster."
      ;;
  esac
}
