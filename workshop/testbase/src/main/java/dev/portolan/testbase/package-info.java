/**
 * What the tests of every module may use, and which therefore uses none of them: properties, a way
 * to wait, free ports, conditions.
 */
@NullMarked
package dev.portolan.testbase;

import org.jspecify.annotations.NullMarked;
