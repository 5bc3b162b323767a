/**
 * The modes in which this program programs a kernel, as one list: how each is configured, opened,
 * printed, checked and recognized.
 *
 * <p>Whatever names backends asks {@link dev.portolan.modes.KernelModes}; nothing else in the tree
 * lists them.
 */
@NullMarked
package dev.portolan.modes;

import org.jspecify.annotations.NullMarked;
