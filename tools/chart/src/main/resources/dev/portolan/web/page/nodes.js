// All nodes: who is behind, who has an error.

import {chips} from './chips.js';
import {count, h, plural, put, text} from './dom.js';
import {mark, nodeState} from './marks.js';
import {go, link} from './router.js';
import {cluster, listen} from './store.js';
import {textColumn, windowTable} from './table.js';

const STATES = ['error', 'away', 'behind', 'no client', 'current'];
const KINDS = {error: 'bad', away: 'lost', behind: 'warn', 'no client': 'none', current: 'good'};

const SORTS = {
  name: (a, b) => (a.name < b.name ? -1 : 1),
  zone: (a, b) => (a.zone === b.zone ? SORTS.name(a, b) : a.zone < b.zone ? -1 : 1),
  applied: (a, b) => a.applied - b.applied || SORTS.name(a, b),
  lag: (a, b) => (a.lagSeconds ?? 0) - (b.lagSeconds ?? 0) || SORTS.name(a, b),
  state: (a, b) => rank(a) - rank(b) || SORTS.name(a, b),
};

function stateOf(node) {
  return nodeState(node, cluster.overview.fleet);
}

function rank(node) {
  return stateOf(node).rank;
}

/** The view of the fleet. */
export function nodes(main, first) {
  let values = first;
  const fleet = cluster.overview.fleet;
  const table = windowTable({
    label: 'Nodes',
    name: fleet ? 'nodes fleet' : 'nodes',
    columns: columns(fleet),
    key: (row) => row.name,
    href: (row) => link('node', {name: row.name}),
    onsort: (by) => {
      const same = sort() === by;
      change({sort: by, down: same && !values.get('down') ? '1' : ''});
    },
  });
  const states = chips('Show nodes that are', (id) => change({state: id === values.get('state') ? '' : id}));
  const summary = h('p', {class: 'summary', role: 'status'});
  const grid = h('div', {class: 'grid', 'aria-hidden': 'true', hidden: !fleet});
  put(main, h('h1', {class: 'unseen'}, 'Nodes'), h('div', {class: 'bar'}, states.element, summary), grid, table.element);
  main.classList.add('full');

  function sort() {
    return SORTS[values.get('sort')] ? values.get('sort') : fleet ? 'state' : 'name';
  }

  function change(changes) {
    go('nodes', {...Object.fromEntries(values), ...changes});
  }

  function draw() {
    const all = [...cluster.nodes.values()];
    const state = values.get('state');
    const rows = state ? all.filter((node) => stateOf(node).word === state) : all;
    rows.sort(SORTS[sort()]);
    if (values.get('down')) rows.reverse();
    table.show(rows);
    table.sorted(sort(), Boolean(values.get('down')));
    text(summary, plural(all.length, 'node') + zones(all) + (fleet ? '' : '; their progress is not followed here'));
    if (fleet) {
      drawStates(all, state);
      drawGrid(all);
    }
  }

  function drawStates(all, state) {
    const counts = {};
    for (const node of all) counts[stateOf(node).word] = (counts[stateOf(node).word] ?? 0) + 1;
    const there = STATES.filter((one) => counts[one] || one === state);
    states.show([{id: '', word: 'All', number: all.length},
      ...there.map((id) => ({id, kind: KINDS[id], word: id, number: counts[id] ?? 0}))], state ?? '');
  }

  // One square per node, for the eye alone: the table below says the same in words.
  function drawGrid(all) {
    const sorted = [...all].sort(SORTS.zone);
    const links = sorted.map((node) => link('node', {name: node.name}));
    const same = links.length === grid.children.length &&
      links.every((href, i) => grid.children[i].getAttribute('href') === href);
    if (!same) put(grid, links.map((href) => h('a', {href, tabindex: -1})));
    sorted.forEach((node, i) => {
      const {kind, word} = stateOf(node);
      grid.children[i].className = kind;
      grid.children[i].title = `${node.name}: ${word}${node.error ? ', ' + node.error : ''}`;
    });
  }

  const stop = listen((news) => {
    if (news.all || news.nodes.size) draw();
  });
  draw();
  return {
    title: 'Nodes',
    values(next) {
      values = next;
      draw();
    },
    close() {
      main.classList.remove('full');
      stop();
      table.close();
    },
  };
}

function zones(all) {
  const names = new Set(all.map((node) => node.zone).filter(Boolean));
  return names.size ? ` in ${plural(names.size, 'zone')}` : '';
}

function columns(fleet) {
  const name = {
    name: 'name', title: 'Node', sort: true,
    draw: (cell, row) => put(cell, h('a', {href: link('node', {name: row.name}), tabindex: -1}, h('span', {class: 'own'}, row.name))),
  };
  const zone = textColumn('zone', 'Zone', (row) => row.zone, {sort: true});
  const address = textColumn('address', 'Address', (row) => (row.addresses ?? []).join(', '));
  const special = textColumn('note', 'Note', (row) => row.error || (row.special ?? []).join('; '));
  if (!fleet) return [name, zone, address, special];
  return [
    {
      name: 'state', title: 'State', sort: true,
      draw: (cell, row) => {
        const {kind, word} = stateOf(row);
        put(cell, mark(kind, word));
      },
    },
    name, zone,
    textColumn('applied', 'Revision', (row) => (row.applied ? count(row.applied) : '–'), {number: true, sort: true}),
    textColumn('lag', 'Lag', (row) => lag(row), {number: true, sort: true}),
    special,
  ];
}

/** How long a node has been behind. */
export function lag(node) {
  const seconds = node.lagSeconds;
  if (!node.revision) return '–';
  if (seconds < 120) return `${seconds} s`;
  return seconds < 3600 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3600)} h`;
}
