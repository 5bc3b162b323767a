// All services: filtered as one types, their state at a glance.

import {asker} from './api.js';
import {chips} from './chips.js';
import {count, h, later, plural, put, text} from './dom.js';
import {kindOf, stateMark, wordOf} from './marks.js';
import {go, link, note} from './router.js';
import {hitHref} from './search.js';
import {cluster, listen, namespaces, services as byName} from './store.js';
import {textColumn, windowTable} from './table.js';
import {rates} from './traffic.js';

const ORDER = ['refused', 'dropped', 'degraded', 'served', 'none'];
const words = new WeakMap();
const scrolled = new Map();

// What a filter looks at, made once per row.
function wordsOf(row) {
  let all = words.get(row);
  if (all === undefined) {
    all = [row.id, row.type, wordOf(row.state), row.ports, row.policy, ...(row.addresses ?? [row.address])]
      .join(' ').toLowerCase();
    words.set(row, all);
  }
  return all;
}

function asc(a, b) {
  return a < b ? -1 : a > b ? 1 : 0;
}

const SORTS = {
  name: null,
  state: (a, b) => ORDER.indexOf(a.state) - ORDER.indexOf(b.state) || asc(a.id, b.id),
  endpoints: (a, b) => a.ready - b.ready || a.endpoints - b.endpoints || asc(a.id, b.id),
};

/** The view of all services. */
export function services(main, first) {
  let values = first;
  const rate = rates();
  const table = windowTable({
    label: 'Services',
    name: 'services',
    columns: columns(rate),
    key: (row) => row.id,
    href: (row) => link('service', {id: row.id}),
    onsort: (by) => {
      const same = (values.get('sort') ?? 'name') === by;
      change({sort: by === 'name' && !same ? '' : by, down: same && !values.get('down') ? '1' : ''});
    },
  });
  const states = chips('Show services that are', (id) => change({state: id === values.get('state') ? '' : id}));
  const namespace = h('select', {'aria-label': 'Namespace',
    onchange: () => change({namespace: namespace.value})});
  const summary = h('p', {class: 'summary', role: 'status'});
  const elsewhere = h('p', {class: 'elsewhere', hidden: true});
  const empty = h('p', {class: 'empty', hidden: true});
  put(main, h('h1', {class: 'unseen'}, 'Services'),
    h('div', {class: 'bar'}, states.element, namespace, summary), elsewhere, empty, table.element);
  main.classList.add('full');
  const search = asker();
  const lookElsewhere = later(180, findElsewhere);

  function here() {
    return link('services', Object.fromEntries(values));
  }

  function change(changes) {
    const next = Object.fromEntries(values);
    go('services', {...next, ...changes});
  }

  function filtered() {
    const terms = (values.get('q') ?? '').toLowerCase().split(/\s+/).filter(Boolean);
    const only = values.get('namespace');
    const rows = [];
    for (const row of byName()) {
      if (only && row.namespace !== only) continue;
      const all = wordsOf(row);
      if (terms.every((term) => all.includes(term))) rows.push(row);
    }
    return rows;
  }

  function draw() {
    if (cluster.overview === null) return;
    const found = filtered();
    const state = values.get('state');
    const rows = state ? found.filter((row) => row.state === state) : found;
    const by = values.get('sort') in SORTS ? values.get('sort') : 'name';
    // They come by name.
    if (by !== 'name') rows.sort(SORTS[by]);
    if (values.get('down')) rows.reverse();
    table.show(rows);
    table.sorted(by, Boolean(values.get('down')));
    drawStates(found, state);
    drawNamespaces();
    text(summary, rows.length === cluster.services.size
      ? plural(rows.length, 'service') : `${count(rows.length)} of ${plural(cluster.services.size, 'service')}`);
    empty.hidden = rows.length > 0;
    put(empty, cluster.services.size === 0
      ? cluster.overview.synced ? 'This cluster has no services.' : 'The cluster is still being read.'
      : ['No service matches. ', h('a', {href: link('services')}, 'Show all of them'), '.']);
  }

  function drawStates(found, state) {
    const counts = {};
    for (const row of found) counts[row.state] = (counts[row.state] ?? 0) + 1;
    const there = ORDER.filter((one) => counts[one] || one === state);
    states.show([{id: '', word: 'All', number: found.length},
      ...there.map((id) => ({id, kind: kindOf(id), word: wordOf(id), number: counts[id] ?? 0}))], state ?? '');
  }

  function drawNamespaces() {
    const names = namespaces();
    const chosen = values.get('namespace') ?? '';
    const key = names.join(' ') + chosen;
    if (namespace.dataset.key === key) return;
    namespace.dataset.key = key;
    put(namespace, h('option', {value: ''}, 'All namespaces'),
      names.map((name) => h('option', {value: name}, name)));
    namespace.value = chosen;
    namespace.hidden = names.length < 2;
  }

  async function findElsewhere() {
    const q = (values.get('q') ?? '').trim();
    elsewhere.hidden = true;
    if (q.length < 2) return;
    const answer = await search.get('search', {q}).catch(() => undefined);
    const hits = (answer?.hits ?? []).filter((hit) => hit.kind !== 'service');
    if (!hits.length) return;
    put(elsewhere, 'Also found: ', hits.slice(0, 3).map((hit) => [hitLink(hit), ' ']),
      hits.length > 3 && h('a', {href: link('search', {q})}, `${count(hits.length - 3)} more`));
    elsewhere.hidden = false;
  }

  const stop = listen((news) => {
    if (news.all || news.services.size) draw();
  });
  rate.start(() => table.refresh());
  draw();
  lookElsewhere();
  requestAnimationFrame(() => table.scrollTop(scrolled.get(here()) ?? 0));

  return {
    title: 'Services',
    query: () => values.get('q') ?? '',
    /** The search box changed. */
    type(q) {
      values = new URLSearchParams({...Object.fromEntries(values), q});
      note('services', Object.fromEntries(values));
      table.scrollTop(0);
      draw();
      lookElsewhere();
    },
    /** Enter in the search box. */
    enter: () => table.focus(),
    values(next) {
      values = next;
      table.scrollTop(0);
      draw();
      lookElsewhere();
    },
    close() {
      scrolled.set(here(), table.scrollTop());
      main.classList.remove('full');
      stop();
      rate.close();
      search.close();
      lookElsewhere.cancel();
      table.close();
    },
  };
}

function columns(rate) {
  const all = [
    {name: 'state', title: 'State', sort: true, draw: (cell, row) => put(cell, stateMark(row.state))},
    {
      name: 'name', title: 'Service', sort: true,
      draw: (cell, row) => put(cell, h('a', {href: link('service', {id: row.id}), tabindex: -1, title: row.id},
        h('span', {class: 'namespace'}, row.namespace, '/'), h('span', {class: 'own'}, row.name))),
    },
    textColumn('type', 'Type', (row) => row.type),
    textColumn('address', 'Address', (row) => row.address),
    textColumn('ports', 'Ports', (row) => row.ports),
    {
      name: 'endpoints', title: 'Ready', number: true, sort: true,
      draw: (cell, row) => {
        put(cell, h('b', {}, count(row.ready)), h('span', {class: 'of'}, ' of ', count(row.endpoints)));
        cell.title = `${row.ready} of ${row.endpoints} endpoints are ready` +
          (row.terminating ? `, ${row.terminating} terminating` : '');
      },
    },
    textColumn('note', 'Note', (row) => row.why || row.policy),
  ];
  if (cluster.overview?.traffic) {
    all.splice(6, 0, textColumn('rate', 'New/s', (row) => rate.of(row.id), {number: true}));
  }
  return all;
}

function hitLink(hit) {
  return h('a', {href: hitHref(hit), class: 'hit'}, h('span', {class: 'kind'}, hit.kind), ' ', hit.text);
}
