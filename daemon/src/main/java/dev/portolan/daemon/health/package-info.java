/** The daemon's health and the health of services, as load balancers ask for them over HTTP. */
@NullMarked
package dev.portolan.daemon.health;

import org.jspecify.annotations.NullMarked;
