/** Certificates and private keys in files. Depends on no other module. */
@NullMarked
package dev.portolan.tls;

import org.jspecify.annotations.NullMarked;
