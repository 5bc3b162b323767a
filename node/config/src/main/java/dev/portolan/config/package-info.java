/**
 * The configuration of the proxy, as a daemon starts with it.
 *
 * <p>{@link Start} turns a command line into a {@link StartPlan}: a checked configuration, the
 * gates in effect and the warnings. {@link DecisionSettings} and {@link NodeIps} are what a
 * configuration means for the brain and for a node.
 *
 * <p>How files are read, flags parsed and values checked is in the packages below, none of which
 * knows this one.
 */
@NullMarked
package dev.portolan.config;

import org.jspecify.annotations.NullMarked;
