/**
 * Certificates, private keys and authorities in PEM files, read again when the files change, for
 * servers and clients of any kind.
 */
@NullMarked
package dev.portolan.tls;

import org.jspecify.annotations.NullMarked;
