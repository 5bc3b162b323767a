/** Log lines in the two formats of Kubernetes' components: text as klog writes it, and JSON. */
@NullMarked
package dev.portolan.telemetry.log;

import org.jspecify.annotations.NullMarked;
