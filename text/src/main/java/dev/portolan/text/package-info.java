/** Texts that people and programs write: values with places, and how Go spells them. */
@NullMarked
package dev.portolan.text;

import org.jspecify.annotations.NullMarked;
