/**
 * Reaching an API server: where it is, how it is trusted, who asks, and how often.
 *
 * <p>{@link Kubeconfig} and {@link InCluster} say where and how as an {@link ApiAccess}; {@link
 * ApiServer} asks. Nothing here knows what the answers mean.
 */
@NullMarked
package dev.portolan.source.kube.access;

import org.jspecify.annotations.NullMarked;
