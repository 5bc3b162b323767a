// Everything that a search finds: services, addresses, endpoints, pods, nodes.

import {asker} from './api.js';
import {h, later, plural, put} from './dom.js';
import {link, note} from './router.js';

/** The view of search results. */
export function search(main, first) {
  let values = first;
  const ask = asker();
  const list = h('ul', {class: 'hits'});
  const summary = h('p', {class: 'summary', role: 'status'});
  put(main, h('div', {class: 'view'}, h('h1', {}, 'Search'), summary, list));

  async function load() {
    const q = (values.get('q') ?? '').trim();
    if (!q) {
      put(summary, 'Type a name, an address, a pod or a node above.');
      put(list);
      return;
    }
    try {
      const answer = await ask.get('search', {q});
      if (!answer) return;
      put(summary, answer.hits.length ? `${plural(answer.hits.length, 'result')} for ${q}` : `Nothing found for ${q}`);
      put(list, answer.hits.map(line));
    } catch (problem) {
      put(summary, problem.message);
    }
  }

  const soon = later(120, load);
  load();
  return {
    title: 'Search',
    query: () => values.get('q') ?? '',
    type(q) {
      values = new URLSearchParams({q});
      note('search', {q});
      soon();
    },
    enter: () => list.querySelector('a')?.focus(),
    values(next) {
      values = next;
      load();
    },
    close() {
      soon.cancel();
      ask.close();
    },
  };
}

function line(hit) {
  return h('li', {}, h('a', {href: hitHref(hit)},
    h('span', {class: 'kind'}, hit.kind), h('span', {class: 'own'}, hit.text), h('span', {class: 'soft'}, hit.detail ?? '')));
}

/** Where a hit leads. */
export function hitHref(hit) {
  return hit.kind === 'node' || !hit.service
    ? link('node', {name: hit.node ?? hit.text}) : link('service', {id: hit.service});
}
