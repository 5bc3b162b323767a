package dev.portolan.timemachine.whatif;

import dev.portolan.compare.decisions.ClusterComparison;
import dev.portolan.compare.events.ImaginedCluster;
import dev.portolan.compare.events.Impact;

/** What was imagined, what is decided differently then, and what that means. */
record WhatIfAnswer(ImaginedCluster imagined, ClusterComparison comparison, Impact impact) {}
