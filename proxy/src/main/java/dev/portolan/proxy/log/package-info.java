/**
 * Log lines in the two formats of Kubernetes' components: text as klog writes it, and JSON.
 *
 * <p>It knows the configuration's section {@code logging} and nothing else of the program.
 */
@NullMarked
package dev.portolan.proxy.log;

import org.jspecify.annotations.NullMarked;
