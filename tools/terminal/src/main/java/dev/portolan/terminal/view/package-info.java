/**
 * How decided values look: a node's services, a change, an explanation, the clients of a brain, as
 * text for people and as trees for programs.
 *
 * <p>A view gets a finished value; it neither decides nor fetches one.
 */
@NullMarked
package dev.portolan.terminal.view;

import org.jspecify.annotations.NullMarked;
