/** What is measured from outside: processes that run beside a real API server. */
@NullMarked
package dev.portolan.bench.daemon;

import org.jspecify.annotations.NullMarked;
