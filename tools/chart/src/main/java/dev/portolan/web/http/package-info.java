/** The chart over HTTP: who may read it, the page's files, answers, and the stream of changes. */
@NullMarked
package dev.portolan.web.http;

import org.jspecify.annotations.NullMarked;
