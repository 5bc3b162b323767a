// Rates out of totals: the server sends totals, and the difference of two readings is the rate.

import {get} from './api.js';
import {cluster} from './store.js';

const EVERY = 3000;

/** Reads traffic again and again, of one service or of all, where the server counts any. */
export function rates(id = '') {
  let timer = 0;
  let last = null;
  let now = new Map();
  let closed = false;

  async function read(told) {
    try {
      const answer = document.hidden ? null : await get('traffic', {id});
      if (answer?.available) take(answer);
      if (answer && !closed) told(answer);
    } catch {
      // The stream of changes says when the server is away; rates come back with it.
    }
    if (!closed) timer = setTimeout(read, EVERY, told);
  }

  function take(answer) {
    const at = Date.parse(answer.at);
    const totals = new Map();
    for (const service of answer.services) {
      for (const port of service.ports) totals.set(`${service.id} ${port.port}`, port);
    }
    const seconds = last ? (at - last.at) / 1000 : 0;
    if (seconds > 0) {
      now = new Map();
      for (const [key, port] of totals) {
        const before = last.totals.get(key);
        // A total that went down was counted by another process: there is no rate yet.
        if (before && port.connections >= before.connections) {
          now.set(key, (port.connections - before.connections) / seconds);
        }
      }
    }
    if (!last || seconds > 0) last = {at, totals};
  }

  return {
    start(told) {
      if (cluster.overview?.traffic) read(told);
    },
    /** New connections per second of a service, in words. */
    of(service) {
      let sum = 0;
      let known = false;
      for (const [key, rate] of now) {
        if (key.startsWith(service + ' ')) {
          sum += rate;
          known = true;
        }
      }
      return known ? perSecond(sum) : '';
    },
    /** The rate of one port, or undefined. */
    ofPort: (service, port) => now.get(`${service} ${port}`),
    close() {
      closed = true;
      clearTimeout(timer);
    },
  };
}

/** A rate with as many digits as it deserves. */
export function perSecond(rate) {
  return rate >= 100 ? Math.round(rate).toLocaleString('en') : rate.toFixed(1);
}
