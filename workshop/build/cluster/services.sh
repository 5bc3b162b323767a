#!/bin/bash
# What a node's init system would do: containerd, and the kubelet as soon as kubeadm has configured it.
containerd >/var/log/containerd.log 2>&1 &

until [[ -e /var/lib/kubelet/config.yaml && -e /var/lib/kubelet/kubeadm-flags.env ]]; do
  sleep 0.2
done
while true; do
  # shellcheck disable=SC1091 # kubeadm writes it
  . /var/lib/kubelet/kubeadm-flags.env
  # shellcheck disable=SC2086 # KUBELET_KUBEADM_ARGS is a list of flags
  kubelet --bootstrap-kubeconfig=/etc/kubernetes/bootstrap-kubelet.conf --kubeconfig=/etc/kubernetes/kubelet.conf \
    --config=/var/lib/kubelet/config.yaml $KUBELET_KUBEADM_ARGS >>/var/log/kubelet.log 2>&1
  sleep 1
done
