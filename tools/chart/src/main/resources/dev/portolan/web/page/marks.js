// States and verdicts as a shape and a word, so that colour is never the only sign.

import {h, s} from './dom.js';

const SHAPES = {
  good: ['M8 1a7 7 0 1 0 0 14A7 7 0 0 0 8 1Z', 'M4.8 8.3l2.2 2.2 4.2-4.6'],
  warn: ['M8 1.5 15.2 14.5H.8Z', 'M8 6.2v3.6M8 11.9v.6'],
  bad: ['M5 1h6l4 4v6l-4 4H5l-4-4V5Z', 'M5.3 5.3l5.4 5.4M10.7 5.3l-5.4 5.4'],
  lost: ['M8 1a7 7 0 1 0 0 14A7 7 0 0 0 8 1Z', 'M8 4.4v6.8M5 8.4l3 3 3-3'],
  none: ['M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2Z', ''],
};

const STATES = {
  served: ['good', 'served'],
  degraded: ['warn', 'degraded'],
  refused: ['bad', 'refused'],
  dropped: ['lost', 'dropped'],
  none: ['none', 'not served'],
};

const VERDICTS = {
  forward: ['good', 'forwarded'],
  reject: ['bad', 'rejected'],
  drop: ['lost', 'dropped'],
  none: ['none', 'not served'],
};

/** The icon of a kind: good, warn, bad, lost or none. */
export function icon(kind) {
  const [outline, sign] = SHAPES[kind] ?? SHAPES.none;
  return s('svg', {class: `icon ${kind}`, viewBox: '0 0 16 16', width: 16, height: 16, 'aria-hidden': 'true'},
    s('path', {class: 'outline', d: outline}), sign && s('path', {class: 'sign', d: sign}));
}

/** An icon and a word. */
export function mark(kind, word) {
  return h('span', {class: `mark ${kind}`}, icon(kind), h('span', {}, word));
}

/** The kind of a service's state, for colours. */
export function kindOf(state) {
  return (STATES[state] ?? STATES.none)[0];
}

/** The word of a service's state. */
export function wordOf(state) {
  return (STATES[state] ?? STATES.none)[1];
}

/** A service's state. */
export function stateMark(state) {
  return mark(kindOf(state), wordOf(state));
}

/** What happens to a connection. */
export function verdictMark(verdict) {
  return mark(verdictKind(verdict), verdictWord(verdict));
}

/** What happens to a connection, in a word. */
export function verdictWord(verdict) {
  return (VERDICTS[String(verdict).toLowerCase()] ?? ['none', verdict])[1];
}

/** The kind of a verdict, for colours. */
export function verdictKind(verdict) {
  return (VERDICTS[String(verdict).toLowerCase()] ?? ['none'])[0];
}

/** How a node keeps up: an error, away, behind, never seen, current; or not known here. */
export function nodeState(node, fleet) {
  if (!fleet) return {kind: 'none', word: 'not followed', rank: 5};
  if (node.error) return {kind: 'bad', word: 'error', rank: 0};
  if (!node.connected && !node.revision) return {kind: 'none', word: 'no client', rank: 3};
  if (!node.connected) return {kind: 'lost', word: 'away', rank: 1};
  if (!node.applied || node.applied < node.revision) return {kind: 'warn', word: 'behind', rank: 2};
  return {kind: 'good', word: 'current', rank: 4};
}
