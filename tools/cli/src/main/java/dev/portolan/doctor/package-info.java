/**
 * Looks at a node for everything that Portolan needs and that may stand in its way.
 *
 * <p>{@link dev.portolan.doctor.Doctor} runs the checks; each is a value with a finding and a
 * remedy. Nothing here changes anything.
 */
@NullMarked
package dev.portolan.doctor;

import org.jspecify.annotations.NullMarked;
