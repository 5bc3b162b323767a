/**
 * {@code portolan config}: checks, converts and explains configuration files of kube-proxy.
 *
 * <p>What a file means is decided in the module config; here are only options and output.
 */
@NullMarked
package dev.portolan.cli.config;

import org.jspecify.annotations.NullMarked;
