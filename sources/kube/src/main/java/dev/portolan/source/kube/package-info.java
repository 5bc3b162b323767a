/**
 * Reads the cluster from an API server, by listing and watching.
 *
 * <p>{@link KubeSource} is the entry point. A {@link ResourceWatch} follows one type of objects:
 * {@link Phase} draws its states, {@link Transition} is the table that decides what to do about
 * each failure. {@link Requests} asks, the package {@code wire} turns bytes into objects, {@link
 * EventStream} applies events, {@link ClusterCache} hands over what is different. How a server is
 * reached is the work of the package {@code apiserver}.
 *
 * <p>Exceptions are checked and extend {@link java.io.IOException}: every failure of the server is
 * expected, and caught in one place, {@link ResourceWatch}.
 */
@NullMarked
package dev.portolan.source.kube;

import org.jspecify.annotations.NullMarked;
