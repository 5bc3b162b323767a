/**
 * What a mode is made of. A mode programs a kernel, or stands in for one; its backend's module
 * offers it as one object.
 *
 * <p>Whatever reads command lines, prints help or opens backends asks that object, and no class of
 * ours needs to know which modes there are.
 */
@NullMarked
package dev.portolan.mode;

import org.jspecify.annotations.NullMarked;
