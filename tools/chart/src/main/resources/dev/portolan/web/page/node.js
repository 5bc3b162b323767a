// One node: how it keeps up, what is special about it, which services look different from here.

import {asker} from './api.js';
import {atMost, count, h, put} from './dom.js';
import {mark, nodeState, verdictMark} from './marks.js';
import {lag} from './nodes.js';
import {link} from './router.js';
import {cluster, listen} from './store.js';
import {plainTable} from './table.js';

/** The view of a node. */
export function node(main, values) {
  const name = values.get('name') ?? '';
  const ask = asker();
  const view = h('div', {class: 'view'});
  put(main, view);

  async function load() {
    try {
      const answer = await ask.get('node', {name});
      if (answer) draw(answer, answer.row);
    } catch (problem) {
      put(view, crumbs(), h('h1', {}, name), h('p', {class: 'problem'}, problem.message));
    }
  }

  function draw(answer, row) {
    const {kind, word} = nodeState(row, cluster.overview.fleet);
    const services = answer.services ?? [];
    put(view, crumbs(),
      h('div', {class: 'title'}, h('h1', {}, name), cluster.overview.fleet && mark(kind, word)),
      row.error && h('p', {class: 'problem'}, row.error),
      h('dl', {class: 'facts'}, facts(row).map(([term, value]) => h('div', {}, h('dt', {}, term), h('dd', {}, value)))),
      h('p', {class: 'actions'},
        h('a', {class: 'button', href: link('whatif', {drain: name})}, 'What if it is drained?'), ' ',
        h('a', {class: 'button', href: link('explain', {node: name})}, 'Explain a connection from here')),
      (row.special ?? []).length > 0 && h('section', {}, h('h2', {}, 'What is special here'),
        h('ul', {class: 'notes'}, row.special.map((one) => h('li', {}, one)))),
      h('section', {}, h('h2', {}, 'Services that look different from here ', h('small', {}, count(services.length))),
        services.length === 0 ? h('p', {class: 'soft'}, 'None: every service is as most nodes see it.')
          : plainTable('Services that look different from here', ['Service', 'Here', 'Why'],
            services.map((one) => [
              h('a', {href: link('service', {id: one.id, node: name})}, one.id),
              verdictMark(one.verdict), (one.reasons ?? []).map((reason) => h('p', {}, reason))])),
        answer.servicesLeftOut > 0 && h('p', {class: 'soft'}, `and ${count(answer.servicesLeftOut)} more`)));
  }

  const again = atMost(1000, load);
  const stop = listen((news) => {
    if (news.all || news.nodes.has(name) || news.services.size) again();
  });
  load();
  return {
    title: name,
    same: (next) => next.get('name') === name,
    values() {},
    close() {
      stop();
      again.cancel();
      ask.close();
    },
  };
}

function crumbs() {
  return h('p', {class: 'crumbs'}, h('a', {href: link('nodes')}, 'Nodes'));
}

function facts(row) {
  const all = [['Zone', row.zone || 'none'], ['Addresses', (row.addresses ?? []).join(', ') || 'none']];
  if (cluster.overview.fleet) {
    all.push(['Applied', row.applied ? `revision ${count(row.applied)} of ${count(row.revision)}` : 'nothing yet'], ['Lag', lag(row)]);
  }
  if (row.driftRepairs !== undefined && row.driftRepairs !== null) all.push(['Drift repairs', count(row.driftRepairs)]);
  if (row.audit) all.push(['Audit', row.audit]);
  return all;
}
