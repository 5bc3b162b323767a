/**
 * Windows for tests: a Java for Windows runs them under Wine, with a Host Network Service of ours
 * in the place of the one that Wine does not have.
 */
@NullMarked
package dev.portolan.testkit.windows;

import org.jspecify.annotations.NullMarked;
