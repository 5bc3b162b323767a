/**
 * What the build runs to create the AOT caches, so that every command and the daemon start fast. It
 * uses the program's jars and is not one of them.
 */
@NullMarked
package dev.portolan.training;

import org.jspecify.annotations.NullMarked;
