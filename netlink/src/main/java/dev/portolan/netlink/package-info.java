/**
 * netlink from Java: sockets over {@code java.lang.foreign}, and an encoder and decoder of
 * messages.
 *
 * <p>{@link dev.portolan.netlink.Libc} holds the calls into C and is the only class that sees
 * native memory. Nothing here knows a service, an endpoint or Kubernetes.
 */
@NullMarked
package dev.portolan.netlink;

import org.jspecify.annotations.NullMarked;
