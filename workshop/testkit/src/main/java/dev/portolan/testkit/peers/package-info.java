/**
 * Real programs of others, for tests and measurements: an API server with its etcd, and kube-proxy;
 * and programs of our own on a gRPC of others. {@code ./dev peers} builds them.
 */
@NullMarked
package dev.portolan.testkit.peers;

import org.jspecify.annotations.NullMarked;
