/** Checks of what services ask for: policies, affinity, source ranges, load balancers. */
@NullMarked
package dev.portolan.analyze.policies;

import org.jspecify.annotations.NullMarked;
