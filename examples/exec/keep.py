#!/usr/bin/env python3
"""A program for Portolan's exec backend: keeps a node's state in the file that its argument names.

The file has a line for each port and family of a service, in the form that the conformance kit
compares (docs/conformance.md).
"""
import json
import os
import sys

path = sys.argv[1]
services = {}


def joined(endpoints):
    return [address(e["address"], e["port"]) for e in endpoints]


def address(ip, port):
    return f"[{ip}]:{port}" if ":" in ip else f"{ip}:{port}"


def line(service, port):
    name = f"{service['namespace']}/{service['name']}"
    ends, verdicts = port["endpoints"], port["verdicts"]
    cluster, local, serving = (joined(ends[k]) for k in ("cluster", "local", "serving"))
    checked = service["healthCheckNodePort"] != 0
    attributes = {
        "type": service["type"] if service["type"] != "ClusterIP" else "",
        "nodePort": port["nodePort"] or "",
        "externalIPs": ",".join(port["externalIPs"]),
        "loadBalancerIPs": ",".join(port["loadBalancerIPs"]),
        "sources": ",".join(port["loadBalancerSourceRanges"]),
        "affinity": port["affinitySeconds"] or "",
        "iTP": "Local" if port["internalTrafficPolicy"] == "Local" else "",
        "eTP": "Local" if port["externalTrafficPolicy"] == "Local" else "",
        "healthCheck": service["healthCheckNodePort"] if checked else "",
        "localReady": service["localReadyEndpoints"] if checked else "",
        "internal": verdicts["internal"],
        "external": verdicts["external"] if verdicts["external"] != "none" else "",
        "shortCircuit": "" if verdicts["shortCircuit"] == verdicts["external"] else verdicts["shortCircuit"],
        "cluster": ",".join(cluster),
        "local": ",".join(local),
    }
    words = [f"{name}:{port['name']}" if port["name"] else name, port["protocol"]]
    words.append(address(port["clusterIP"], port["port"]))
    words += [f"{key}={value}" for key, value in attributes.items() if value != ""]
    if set(cluster + local) != set(serving):
        words.append("serving=" + ",".join(serving))
    return " ".join(words)


def write():
    lines = sorted(line(s, p) for s in services.values() for p in s["ports"])
    with open(path + ".new", "w") as file:
        file.write("".join(text + "\n" for text in lines))
    os.replace(path + ".new", path)


for change in map(json.loads, sys.stdin):
    if "begin" in change and change["from"] == 0:
        services = {}
    elif "set" in change:
        service = change["set"]
        services[service["namespace"], service["name"]] = service
    elif "delete" in change:
        services.pop((change["delete"]["namespace"], change["delete"]["name"]), None)
    elif "end" in change:
        write()
        print(json.dumps({"applied": change["end"]}), flush=True)
    elif "cleanup" in change:
        services = {}
        write()
        print(json.dumps({"applied": 0}), flush=True)
