// Changes as they happen, newest first.

import {count, h, plural, put} from './dom.js';
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
    upTo = cluster.heard;
    button.setAttribute('aria-pressed', String(paused));
    put(button, paused ? 'Go on' : 'Pause');
    draw();
  }

  function matching() {
    const q = (values.get('q') ?? '').toLowerCase();
    const found = [];
    for (let i = cluster.changes.length - 1; i >= 0 && found.length < SHOWN; i--) {
      const one = cluster.changes[i];
      if (paused && one.number > upTo) continue;
      if (!q || `${one.object} ${one.field} ${one.service}`.toLowerCase().includes(q)) found.push(one);
    }
    return found;
  }

  function draw() {
    const found = matching();
    const waiting = paused ? cluster.heard - upTo : 0;
    put(summary, paused ? `Paused, ${count(waiting)} new` : found.length
      ? `${plural(cluster.heard, 'change')} since this page was opened` : 'Nothing has changed since this page was opened. Changes appear here by themselves.');
    const groups = [];
    for (const one of found) {
      const last = groups[groups.length - 1];
      if (last && last.revision === one.revision && last.at === one.at) last.entries.push(one);
      else groups.push({revision: one.revision, at: one.at, entries: [one]});
    }
    put(list, groups.map((group) => h('li', {},
      h('p', {class: 'when'}, h('time', {datetime: group.at}, clock(group.at)), h('span', {class: 'revision'}, `revision ${count(group.revision)}`)),
      h('ul', {}, group.entries.map(entry)))));
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
      draw();
    },
    close: stop,
  };
}

function entry(one) {
  return h('li', {},
    one.service ? h('a', {href: link('service', {id: one.service})}, one.service) : null, one.service ? ' ' : null,
    h('span', {class: 'soft'}, one.object), ' ', one.from || one.to
      ? [h('code', {}, one.field), ' ', one.from && h('del', {}, one.from), ' ', one.to && h('ins', {}, one.to)]
      : one.text);
}

function clock(at) {
  const when = new Date(at);
  return Number.isNaN(when.getTime()) ? at : when.toLocaleTimeString('en-GB', {hour12: false});
}
