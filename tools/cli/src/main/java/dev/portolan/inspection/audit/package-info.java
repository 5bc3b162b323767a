/**
 * The command that compares objects, decision and kernel, and what it prints.
 *
 * <p>What is compared, and how, is in {@code dev.portolan.audit}.
 */
@NullMarked
package dev.portolan.inspection.audit;

import org.jspecify.annotations.NullMarked;
