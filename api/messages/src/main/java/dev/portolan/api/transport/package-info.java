/** Where a brain is reached: addresses, which server and client share. */
@NullMarked
package dev.portolan.api.transport;

import org.jspecify.annotations.NullMarked;
