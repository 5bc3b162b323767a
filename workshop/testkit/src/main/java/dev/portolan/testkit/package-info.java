/** What the tests of all modules share: scenarios and random clusters. No program ships it. */
@NullMarked
package dev.portolan.testkit;

import org.jspecify.annotations.NullMarked;
