/** Certificates and private keys as people keep them in files. Knows nobody. */
@NullMarked
package dev.portolan.tls;

import org.jspecify.annotations.NullMarked;
