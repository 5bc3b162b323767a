/**
 * Turns states and the changes between them into the items of a stream, each encoded once for all
 * clients.
 *
 * <p>It depends on no other package of the server: clients, feeds and connections have no place
 * here.
 */
@NullMarked
package dev.portolan.server.encoding;

import org.jspecify.annotations.NullMarked;
