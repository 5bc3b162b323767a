// Changes as they happen, newest first.

import {count, h, moment, plural, put, text} from './dom.js';
import {link} from './router.js';
import {cluster, listen} from './store.js';

const SHOWN = 250;

/** The view of live changes. */
export function changes(main, first) {
  let values = first;
  let paused = false;
  let upTo = 0;
  const list = h('ol', {class: 'changes', 'aria-label': 'Changes, newest first'});
  const button = h('button', {type: 'button', 'aria-pressed': 'false', onclick: toggle}, 'Pause');
  const summary = h('p', {class: 'summary', role: 'status'});
  put(main, h('div', {class: 'view'}, h('h1', {}, 'Changes'),
    h('div', {class: 'bar'}, button, summary), list));

  function toggle() {
    paused = !paused;
    button.setAttribute('aria-pressed', String(paused));
    text(button, paused ? 'Go on' : 'Pause');
    draw();
  }

  // What is there stays where it is; only what is new is put on top, one group per revision.
  function draw() {
    if (!paused) {
      const q = (values.get('q') ?? '').toLowerCase();
      const fresh = cluster.changes.filter((one) => one.number > upTo &&
        (!q || `${one.object} ${one.field} ${one.service}`.toLowerCase().includes(q))).slice(-SHOWN);
      for (const group of groups(fresh)) list.prepend(group);
      upTo = cluster.heard;
      while (list.querySelectorAll('ul > li').length > SHOWN) list.lastChild.remove();
    }
    const waiting = cluster.heard - upTo;
    text(summary, paused ? `Paused, ${count(waiting)} new` : cluster.heard
      ? `${plural(cluster.heard, 'change')} since this page was opened`
      : `Nothing has changed since this page was opened. ${cluster.reading.kind === 'recording'
        ? 'A recording changes only while it is played (--speed); "portolan replay" lists what changed in it.'
        : 'Changes appear here by themselves.'}`);
  }

  const stop = listen((news) => {
    if (news.changes || news.all) draw();
  });
  draw();
  return {
    title: 'Changes',
    query: () => values.get('q') ?? '',
    values(next) {
      values = next;
      upTo = 0;
      put(list);
      draw();
    },
    close: stop,
  };
}

function groups(entries) {
  const all = [];
  for (const one of entries) {
    if (all.at(-1)?.[0].revision === one.revision) all.at(-1).push(one);
    else all.push([one]);
  }
  return all.map((group) => h('li', {},
    h('p', {class: 'when'}, h('time', {datetime: group[0].at}, moment(group[0].at)),
      h('span', {class: 'revision'}, `revision ${count(group[0].revision)}`)),
    h('ul', {}, group.map(entry))));
}

function entry(one) {
  return h('li', {},
    one.service ? h('a', {href: link('service', {id: one.service})}, one.service) : null, one.service ? ' ' : null,
    h('span', {class: 'soft'}, one.object), ' ', one.from || one.to
      ? [h('code', {}, one.field), ' ', one.from && h('del', {}, one.from), ' ', one.to && h('ins', {}, one.to)]
      : one.text);
}
