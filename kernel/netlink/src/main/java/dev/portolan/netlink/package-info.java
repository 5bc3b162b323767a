/**
 * netlink from Java: sockets over {@code java.lang.foreign}, and an encoder and decoder of
 * messages.
 *
 * <p>{@link dev.portolan.netlink.Libc} holds the calls into C, which {@link
 * dev.portolan.netlink.CLibrary} links; only these two see native memory. Nothing here knows a
 * service, an endpoint or Kubernetes.
 *
 * <p>Failures are {@link dev.portolan.netlink.NetlinkException}s, which are unchecked and name the
 * operation, the errno and the kernel's own text. To see what goes over the sockets, set the
 * environment variable {@code PORTOLAN_NETLINK_TRACE}.
 */
@NullMarked
package dev.portolan.netlink;

import org.jspecify.annotations.NullMarked;
