/** What the daemon counts and measures, by the names that kube-proxy has and some of our own. */
@NullMarked
package dev.portolan.daemon.metrics;

import org.jspecify.annotations.NullMarked;
