{{/* The labels that select pods of a component: (list . "node"). A takeover has kubeadm's. */}}
{{- define "portolan.selector" -}}
{{- if eq (index . 0).Values.shape "takeover" -}}
k8s-app: kube-proxy
{{- else -}}
app.kubernetes.io/name: portolan
app.kubernetes.io/component: {{ index . 1 }}
{{- end }}
{{- end }}

{{/* The labels of an object. */}}
{{- define "portolan.labels" -}}
{{ include "portolan.selector" . }}
app.kubernetes.io/version: {{ (index . 0).Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ (index . 0).Release.Service }}
helm.sh/chart: {{ printf "%s-%s" (index . 0).Chart.Name (index . 0).Chart.Version }}
{{- end }}

{{/* The name of the DaemonSet, its account and its ConfigMap. */}}
{{- define "portolan.name" -}}
{{ eq .Values.shape "takeover" | ternary "kube-proxy" "portolan" }}
{{- end }}

{{/* Whether nodes may need the iptables programs and what belongs to them. kubeadm's ConfigMap may say anything. */}}
{{- define "portolan.iptables" -}}
{{- if or (eq .Values.shape "takeover") (eq .Values.mode "iptables") -}}true{{- end }}
{{- end }}

{{/* Whether nodes get what mode ebpf needs. */}}
{{- define "portolan.ebpf" -}}
{{- if or (eq .Values.mode "ebpf") (and (eq .Values.shape "takeover") .Values.ebpf.takeover) -}}true{{- end }}
{{- end }}

{{/* The image: (list . "-iptables"). */}}
{{- define "portolan.image" -}}
{{- with index . 0 -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default (printf "%s%s" .Chart.AppVersion (index $ 1)) }}
{{- end }}
{{- end }}

{{/* Whether Prometheus is to read the nodes' metrics from elsewhere. */}}
{{- define "portolan.scraped" -}}
{{- if or .Values.metrics.service .Values.metrics.podMonitor.enabled -}}true{{- end }}
{{- end }}

{{/* Where nodes serve their metrics. */}}
{{- define "portolan.metricsAddress" -}}
{{ .Values.metrics.bindAddress | default (printf "%s:10249" (eq (include "portolan.scraped" .) "true" | ternary "0.0.0.0" "127.0.0.1")) }}
{{- end }}

{{/* Whether only the node itself can read its metrics. */}}
{{- define "portolan.metricsAreLocal" -}}
{{- if regexMatch "^(127\\.|\\[::1\\])" (include "portolan.metricsAddress" .) -}}true{{- end }}
{{- end }}

{{- define "portolan.metricsPort" -}}
{{ splitList ":" (include "portolan.metricsAddress" .) | last }}
{{- end }}

{{/* The configuration of nodes and brains has these in common: (list . dict). */}}
{{- define "portolan.config" -}}
{{- $own := dict "apiVersion" "kubeproxy.config.k8s.io/v1alpha1" "kind" "KubeProxyConfiguration"
      "mode" ((index . 0).Values.mode | default "nftables") -}}
{{ mergeOverwrite $own (index . 1) (deepCopy (index . 0).Values.config) | toYaml }}
{{- end }}

{{/* A kubeconfig for the token of the pod. */}}
{{- define "portolan.kubeconfig" -}}
apiVersion: v1
kind: Config
clusters:
- name: cluster
  cluster:
    server: {{ .Values.apiServer | quote }}
    certificate-authority: /var/run/secrets/kubernetes.io/serviceaccount/ca.crt
users:
- name: portolan
  user:
    tokenFile: /var/run/secrets/kubernetes.io/serviceaccount/token
contexts:
- name: cluster
  context:
    cluster: cluster
    user: portolan
current-context: cluster
{{- end }}

{{/* What a schema cannot say, or only as a pattern. */}}
{{- define "portolan.check" -}}
{{- $byte := "(25[0-5]|2[0-4][0-9]|1?[0-9]?[0-9])" }}
{{- $ipv4 := printf "(%s\\.){3}%s" $byte $byte }}
{{- $ipv6 := "[0-9a-fA-F]*:[0-9a-fA-F:]*:[0-9a-fA-F.:]*" }}
{{- $range := printf "(%s/(3[0-2]|[12]?[0-9])|%s/(12[0-8]|1[01][0-9]|[1-9]?[0-9]))" $ipv4 $ipv6 }}
{{- $patterns := list
      (list "apiServer" .Values.apiServer "^https://[^/]+$" "an address such as https://10.0.0.10:6443")
      (list "clusterCIDR" .Values.clusterCIDR (printf "^%s(,%s)?$" $range $range) "a range such as 10.244.0.0/16, or one per family with a comma between them")
      (list "nodeTaint" .Values.nodeTaint "^([a-z0-9.-]+/)?[A-Za-z0-9][A-Za-z0-9_.-]*$" "a key such as portolan.dev/not-ready, without value and effect")
      (list "metrics.bindAddress" .Values.metrics.bindAddress (printf "^(%s|\\[%s\\]):[1-9][0-9]{0,4}$" $ipv4 $ipv6) "IP:PORT, such as 127.0.0.1:10249")
      (list "metrics.podMonitor.interval" .Values.metrics.podMonitor.interval "^[0-9]+(ms|[smh])$" "a time such as 30s")
      (list "brain.host" .Values.brain.host "^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$" "a DNS name")
      (list "brain.tls.nodeHostPath" .Values.brain.tls.nodeHostPath "^/.+$" "an absolute path") }}
{{- range .Values.brain.addresses }}
{{- $patterns = append $patterns (list "brain.addresses" . (printf "^(%s|%s)$" $ipv4 $ipv6) "IP addresses") }}
{{- end }}
{{- range concat .Values.extraArgs .Values.brain.extraArgs }}
{{- $patterns = append $patterns (list "extraArgs" . "^-" "flags such as -v=2") }}
{{- end }}
{{- range $patterns }}
{{- if and (index . 1) (not (regexMatch (index . 2) (index . 1))) }}
{{- fail (printf "%s: '%s' is not valid; write %s" (index . 0) (index . 1) (index . 3)) }}
{{- end }}
{{- end }}
{{- range $field, $value := dict "mode" "mode" "clusterCIDR" "clusterCIDR" "metricsBindAddress" "metrics.bindAddress" }}
{{- if hasKey $.Values.config $field }}
{{- fail (printf "config.%s: use the value %s instead" $field $value) }}
{{- end }}
{{- end }}
{{- if and (include "portolan.scraped" .) (include "portolan.metricsAreLocal" .) }}
{{- fail (printf "metrics.bindAddress: Prometheus does not reach '%s'; remove it, or metrics.service and metrics.podMonitor.enabled" .Values.metrics.bindAddress) }}
{{- end }}
{{- $takeover := eq .Values.shape "takeover" }}
{{- $brain := eq .Values.shape "brain" }}
{{- if $takeover }}
{{- if ne .Release.Namespace "kube-system" }}
{{- fail "shape takeover: kubeadm's kube-proxy is in kube-system; add --namespace kube-system" }}
{{- end }}
{{- range $name, $value := dict "apiServer" .Values.apiServer "mode" .Values.mode "clusterCIDR" .Values.clusterCIDR "config" .Values.config }}
{{- if $value }}
{{- fail (printf "shape takeover: %s has no effect, because kubeadm's ConfigMap kube-proxy is used; change it there and remove %s here" $name $name) }}
{{- end }}
{{- end }}
{{- else if not .Values.apiServer }}
{{- fail (printf "shape %s: apiServer is required; set it to the API server's own address, as in --set apiServer=https://10.0.0.10:6443" .Values.shape) }}
{{- end }}
{{- if $brain }}
{{- if and (not .Values.brain.addresses) (not (contains "." .Values.brain.host)) }}
{{- fail (printf "shape brain: nodes cannot find '%s' without the cluster's DNS; set brain.addresses to the addresses of the nodes on which a brain may run, or brain.host to a name in the nodes' own DNS" .Values.brain.host) }}
{{- end }}
{{- if .Values.nodeTaint }}
{{- fail "shape brain: nodeTaint needs the right to patch Nodes, and nodes of a brain have no rights; remove it" }}
{{- end }}
{{- end }}
{{- end }}
