/**
 * Reads the cluster from an API server, by listing and watching.
 *
 * <p>{@link KubeSource} is the door. A {@link ResourceWatch} follows one type of objects and
 * decides what to do about each failure, {@link Requests} asks, a {@link Format} turns bytes into
 * objects, {@link ClusterHold} hands over what is different. How a server is reached is the work of
 * the package {@code access}.
 */
@NullMarked
package dev.portolan.source.kube;

import org.jspecify.annotations.NullMarked;
