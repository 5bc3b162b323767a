/**
 * Where a brain is reached, and how both sides know each other: addresses and certificates.
 *
 * <p>Server and client share it.
 */
@NullMarked
package dev.portolan.api.transport;

import org.jspecify.annotations.NullMarked;
