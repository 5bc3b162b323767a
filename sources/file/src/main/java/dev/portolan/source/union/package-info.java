/**
 * Several sources as one.
 *
 * <p>The first source that has an object counts. Nothing here reads or judges an object.
 */
@NullMarked
package dev.portolan.source.union;

import org.jspecify.annotations.NullMarked;
