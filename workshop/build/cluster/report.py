#!/usr/bin/env python3
"""report.py FILE: says what upstream's tests found, from ginkgo's report; fails if a test failed or none ran."""
import collections
import json
import sys

states = collections.Counter()
for suite in json.load(open(sys.argv[1])):
    for spec in suite["SpecReports"] or []:
        name = " ".join((spec["ContainerHierarchyTexts"] or []) + [spec["LeafNodeText"]])
        if spec["LeafNodeType"] != "It" and spec["State"] in ("passed", "skipped"):
            continue
        asked = not (spec["State"] == "skipped" and not spec.get("Failure", {}).get("Message"))
        if not asked:
            continue
        states[spec["State"]] += 1
        if spec["State"] != "passed":
            why = (spec.get("Failure", {}).get("Message") or "").strip().split("\n")[0]
            print(f"{spec['State']}: {name.strip()}: {why[:200]}")
print(", ".join(f"{count} {state}" for state, count in sorted(states.items())) or "no test ran")
sys.exit(set(states) - {"passed", "skipped"} != set() or not states["passed"])
