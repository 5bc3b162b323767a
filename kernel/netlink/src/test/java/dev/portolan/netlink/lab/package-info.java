/** Private network namespaces for tests on a real kernel. Tests of other modules may use them. */
@NullMarked
package dev.portolan.netlink.lab;

import org.jspecify.annotations.NullMarked;
