/**
 * What the daemon sets on its host when it starts: the kernel's connection tracking, and how soon
 * the kernel may kill this process for lack of memory.
 *
 * <p>Everything here needs more privilege than the daemon needs afterwards.
 */
@NullMarked
package dev.portolan.daemon.host;

import org.jspecify.annotations.NullMarked;
