/**
 * The packet table: from here to there, and what must become of it.
 *
 * <p>{@link dev.portolan.conformance.packets.PacketTable} reads the files, a {@link
 * dev.portolan.conformance.packets.Judge} says what happens to each row (the brain's explainer, a
 * real kernel, a walk through rendered rules), {@link dev.portolan.conformance.packets.Trial}
 * compares.
 */
@NullMarked
package dev.portolan.conformance.packets;

import org.jspecify.annotations.NullMarked;
