/**
 * What the chart shows of a cluster: rows of services, kept up to date at the cost of what changed,
 * and how far nodes are. Nothing here knows HTTP.
 */
@NullMarked
package dev.portolan.web.state;

import org.jspecify.annotations.NullMarked;
