/**
 * Several sources as one, where the first that has an object counts, and a source that is read now
 * and followed later. Nothing here reads or judges an object.
 */
@NullMarked
package dev.portolan.source.union;

import org.jspecify.annotations.NullMarked;
