/**
 * How every module writes JSON and numbers of things, and quotes texts of others. Knows nothing
 * else.
 */
@NullMarked
package dev.portolan.core.text;

import org.jspecify.annotations.NullMarked;
