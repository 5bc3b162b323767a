/** What the tests of all modules share: scenarios, fakes and an address plan. */
@NullMarked
package dev.portolan.testkit;

import org.jspecify.annotations.NullMarked;
