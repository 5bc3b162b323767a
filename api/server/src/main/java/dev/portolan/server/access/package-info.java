/**
 * Decides which clients may connect, and what each may see.
 *
 * <p>It looks at sockets, certificates and the rules in {@link Access}. It depends on no other
 * package of the server: what a caller asks for, and what is sent, has no place here.
 */
@NullMarked
package dev.portolan.server.access;

import org.jspecify.annotations.NullMarked;
