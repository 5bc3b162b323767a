/**
 * Connecting to an API server: its address, trust, credentials and rate limits.
 *
 * <p>{@link Kubeconfig} and {@link InCluster} say where and how as an {@link ApiAccess}; {@link
 * ApiServer} asks. Nothing here knows what the responses mean.
 *
 * <p>Every failure, of the configuration too, is an {@link ApiException}, which is checked.
 */
@NullMarked
package dev.portolan.apiserver;

import org.jspecify.annotations.NullMarked;
