#!/usr/bin/env bash
# Becomes a node: the first process in namespaces of its own, with a Debian tree for its root.
# node.sh FOLDER TREE: FOLDER holds what is this node's alone, TREE the system that all nodes share.
set -euo pipefail
folder=$1 tree=$2 name=${1##*/}

mkdir -p "$folder"/{work,root} "$folder"/var/{kubelet,containerd,etcd,pods}
mount -t overlay -o "lowerdir=$tree,upperdir=$folder/upper,workdir=$folder/work" node "$folder/root"
cd "$folder/root"
hostname "$name"
mount -t proc proc proc
mount -t sysfs sysfs sys
mount --rbind /dev dev
mount -t tmpfs -o mode=755 tmpfs run
mount -t tmpfs tmpfs tmp
rm -rf var/run
ln -s ../run var/run
mkdir -p var/lib/{kubelet,containerd,etcd} var/log/pods run/netns old
for directory in kubelet containerd etcd; do
  mount --bind "$folder/var/$directory" "var/lib/$directory"
done
mount --bind "$folder/var/pods" var/log/pods
mount --bind -o ro "$PEERS" opt/peers

# The cgroups below this node's own, in the version that the machine has.
if [[ -e /sys/fs/cgroup/cgroup.controllers ]]; then
  mount -t cgroup2 cgroup sys/fs/cgroup
  # Controllers are for groups without processes of their own.
  mkdir -p sys/fs/cgroup/init
  echo $$ >sys/fs/cgroup/init/cgroup.procs
  sed 's/\(^\| \)/\1+/g' sys/fs/cgroup/cgroup.controllers >sys/fs/cgroup/cgroup.subtree_control
else
  mount -t tmpfs -o mode=755 tmpfs sys/fs/cgroup
  while IFS=: read -r _ controllers _; do
    [[ -n $controllers ]] || continue
    mkdir "sys/fs/cgroup/${controllers#name=}"
    mount -t cgroup -o "${controllers/#name=/none,name=}" cgroup "sys/fs/cgroup/${controllers#name=}"
  done </proc/self/cgroup
fi

# Kernel settings that the kubelet would write for the whole machine: it finds them as it wants them.
while read -r setting value; do
  mkdir -p "run/settings/${setting%/*}"
  echo "$value" >"run/settings/$setting"
  mount --bind "run/settings/$setting" "proc/sys/$setting"
done <<'END'
vm/overcommit_memory 1
vm/panic_on_oom 0
kernel/panic 10
kernel/panic_on_oops 1
kernel/keys/root_maxkeys 1000000
kernel/keys/root_maxbytes 25000000
END

pivot_root . old
hash -r # programs have other places from here on
mount --make-rprivate /old
umount -l /old
rmdir /old
mount --make-rshared /
touch /run/ready
exec env -i PATH=/usr/local/bin:/usr/local/sbin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root catatonit -- /usr/local/sbin/node-services
