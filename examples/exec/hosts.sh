#!/bin/sh
# Writes the cluster IPs of all services into a file such as /etc/hosts: hosts.sh FILE
# It takes the whole state each time (mode full), and replaces the file in one step.
set -eu
hosts=$1
lines=$(mktemp)
trap 'rm -f "$lines" "$hosts.new"' EXIT

# Reads lines with services, prints an address and a name for each cluster IP.
entries() {
  if command -v jq >/dev/null; then
    jq -r '.set | . as $service | .ports[] | "\(.clusterIP)\t\($service | .name).\($service | .namespace).svc"'
  else
    # Without jq: namespace and name are the first two texts of a line.
    awk -F'"' '{
      name = $10 "." $6 ".svc"
      while (match($0, /"clusterIP":"[^"]*/)) {
        print substr($0, RSTART + 13, RLENGTH - 13) "\t" name
        $0 = substr($0, RSTART + RLENGTH)
      }
    }'
  fi | sort -u
}

while IFS= read -r line; do
  number=${line#*:}
  number=${number%%[,\}]*}
  case $line in
    '{"begin":'*) : >"$lines" ;;
    '{"set":'*) printf '%s\n' "$line" >>"$lines" ;;
    '{"end":'*)
      if entries <"$lines" >"$hosts.new" && mv "$hosts.new" "$hosts"; then
        echo "{\"applied\": $number}"
      else
        echo "{\"failed\": $number, \"error\": \"the file cannot be written\"}"
      fi
      ;;
    '{"cleanup":'*)
      rm -f "$hosts"
      echo '{"applied": 0}'
      ;;
  esac
done
