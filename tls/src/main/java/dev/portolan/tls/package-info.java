/**
 * Certificates, private keys and authorities as people keep them in files: PEM, read again when the
 * files change, for servers and clients of any kind.
 */
@NullMarked
package dev.portolan.tls;

import org.jspecify.annotations.NullMarked;
