#!/usr/bin/env python3
"""A program for Portolan's exec backend, best in mode incremental.

Prints what changes for a node, one line per service port: + new, ~ changed, - gone.
"""
import json
import sys

known = {}  # what is applied: (namespace, name) -> {a port: its endpoints}
wanted = {}  # the state after the change


def say(text):
    print(text, flush=True)


def lines(service):
    """The lines of a service, each under the name that it keeps while the rest changes."""
    name = f"{service['namespace']}/{service['name']}"
    for port in service["ports"]:
        label = f"{name}:{port['name']}" if port["name"] else name
        address = port["clusterIP"]
        address = f"[{address}]" if port["family"] == "IPv6" else address
        key = f"{label:28} {address}:{port['port']}/{port['protocol']}"
        verdict = port["verdicts"]["internal"]
        chosen = port["endpoints"][port["uses"]["internal"]]
        ends = " ".join(f"{e['address']} port {e['port']}" for e in chosen)
        yield key, ends if verdict == "forward" else verdict


def show():
    for service in sorted(known.keys() | wanted.keys()):
        old, new = known.get(service, {}), wanted.get(service, {})
        for key in sorted(old.keys() | new.keys()):
            if key not in new:
                say(f"- {key}")
            elif key not in old:
                say(f"+ {key} -> {new[key]}")
            elif old[key] != new[key]:
                say(f"~ {key} -> {new[key]}")


for line in map(json.loads, sys.stdin):
    if "begin" in line:
        wanted = {} if line["from"] == 0 else dict(known)
    elif "set" in line:
        service = line["set"]
        wanted[service["namespace"], service["name"]] = dict(lines(service))
    elif "delete" in line:
        wanted.pop((line["delete"]["namespace"], line["delete"]["name"]), None)
    elif "end" in line:
        show()
        known = wanted
        say(json.dumps({"applied": line["end"]}))
    elif "cleanup" in line:
        say(json.dumps({"applied": 0}))
