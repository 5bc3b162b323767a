/**
 * The demo: a small cluster in network namespaces, programmed and visited for real.
 *
 * <p>{@link dev.portolan.demo.Demo} plays the acts, each of which says what it asks, what happened,
 * and whether it should have. Only this package starts programs and knows the lab.
 */
@NullMarked
package dev.portolan.demo;

import org.jspecify.annotations.NullMarked;
