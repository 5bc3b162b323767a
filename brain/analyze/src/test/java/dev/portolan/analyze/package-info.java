@NullMarked
package dev.portolan.analyze;

import org.jspecify.annotations.NullMarked;
