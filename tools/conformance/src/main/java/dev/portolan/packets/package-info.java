/**
 * The packet table: from here to there, and what must become of it.
 *
 * <p>{@link dev.portolan.packets.PacketTable} reads the files, a {@link dev.portolan.packets.Judge}
 * says what happens to each row (the brain's explainer, a real kernel, a walk through rendered
 * rules), {@link dev.portolan.packets.Trial} compares.
 */
@NullMarked
package dev.portolan.packets;

import org.jspecify.annotations.NullMarked;
