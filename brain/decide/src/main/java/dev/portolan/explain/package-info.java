/**
 * Why a connection goes where it goes: explanations of what the brain decided.
 *
 * <p>They follow from a published decision alone. Nothing here decides, and the brain does not know
 * that it is explained.
 */
@NullMarked
package dev.portolan.explain;

import org.jspecify.annotations.NullMarked;
