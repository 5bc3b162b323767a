/**
 * What tests on a real kernel need: private network namespaces, and a condition that says loudly
 * where a test cannot run. Tests of other modules may use it.
 */
@NullMarked
package dev.portolan.netlink.lab;

import org.jspecify.annotations.NullMarked;
