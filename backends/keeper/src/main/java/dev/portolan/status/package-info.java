/**
 * What a proxy shows of itself over HTTP: its health, that of services as load balancers ask for
 * it, and kube-proxy's metrics.
 *
 * <p>The daemon and the library for authors of backends share it; it knows decided values, and
 * neither who decided nor what applies them.
 */
@NullMarked
package dev.portolan.status;

import org.jspecify.annotations.NullMarked;
