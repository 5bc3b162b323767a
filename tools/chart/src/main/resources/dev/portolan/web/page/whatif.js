// What would break: zones that are lost, nodes that are drained, one after another with the slider.

import {asker} from './api.js';
import {atMost, count, h, later, plural, put} from './dom.js';
import {terminal} from './explain.js';
import {mark, verdictMark} from './marks.js';
import {link, note} from './router.js';
import {listen, nodeNames, zones} from './store.js';
import {plainTable} from './table.js';

// As much as a request line may hold.
const LONGEST = 30_000;
const SHOWN = 200;
const SKETCHED = 24;

/** The view of imagined events. */
export function whatif(main, first) {
  const ask = asker();
  const lost = new Set(first.getAll('lose'));
  const drained = new Set(first.getAll('drain'));
  const others = {delete: first.getAll('delete'), scale: first.getAll('scale'), 'not-ready': first.getAll('not-ready')};
  let names = nodeNames();
  let broken = new Map([[0, 0]]);
  let shown = '';
  let busy = false;
  let again = false;
  let closed = false;

  const lostZones = h('div', {class: 'chips', role: 'group', 'aria-label': 'Zones that are lost'});
  const slider = h('input', {type: 'range', id: 'drained', min: 0, step: 1, oninput: slide});
  const reading = h('output', {for: 'drained', class: 'reading'});
  const profile = h('div', {class: 'profile', 'aria-hidden': 'true'});
  const find = h('input', {type: 'search', 'aria-label': 'Find a node', placeholder: 'Find a node', oninput: drawNodes});
  const picks = h('div', {class: 'picks', role: 'group', 'aria-label': 'Nodes that are drained'});
  const clear = h('button', {type: 'button', onclick: () => {
    lost.clear();
    drained.clear();
    for (const name of Object.keys(others)) others[name] = [];
    changed();
  }}, 'Clear');
  const result = h('div', {class: 'result', 'aria-live': 'polite'});
  put(main, h('div', {class: 'view'}, h('h1', {}, 'What if …'),
    h('p', {class: 'lead'}, 'Nothing is changed. Lose zones or drain nodes, and see which services would fail.'),
    h('div', {class: 'controls'},
      h('div', {class: 'control', hidden: !zones().length}, h('h2', {}, 'Lose a zone'), lostZones),
      h('div', {class: 'control'},
        h('div', {class: 'slide-head'}, h('h2', {}, h('label', {for: 'drained'}, 'Drain nodes one by one')), reading),
        slider, profile),
      h('div', {class: 'control'}, h('div', {class: 'slide-head'}, h('h2', {}, 'Or choose them'), find, clear), picks)), result));

  // The slider drains in the order of names; as far as that goes is where it stands.
  function stand() {
    let at = 0;
    while (at < names.length && drained.has(names[at])) at++;
    return at;
  }

  function slide() {
    const to = Math.min(Number(slider.value), most());
    drained.clear();
    for (const name of names.slice(0, to)) drained.add(name);
    changed();
  }

  function most() {
    let length = 0;
    let at = 0;
    while (at < names.length && (length += encodeURIComponent(names[at]).length + 7) < LONGEST) at++;
    return at;
  }

  function changed() {
    note('whatif', {lose: [...lost], drain: [...drained], ...others});
    drawControls();
    soon();
  }

  function drawControls() {
    toggles(lostZones, zones(), lost);
    slider.max = most();
    slider.value = stand();
    slider.setAttribute('aria-valuetext', `${count(drained.size)} of ${count(names.length)} nodes drained`);
    put(reading, `${count(drained.size)} of ${plural(names.length, 'node')}`);
    find.hidden = names.length <= 24;
    drawNodes();
    clear.hidden = !lost.size && !drained.size && !Object.values(others).some((list) => list.length);
  }

  function drawNodes() {
    const q = find.value.toLowerCase();
    const found = names.filter((name) => drained.has(name) || name.toLowerCase().includes(q));
    toggles(picks, found.slice(0, 60), drained);
    if (found.length > 60) picks.append(h('span', {class: 'soft'}, `and ${count(found.length - 60)} more`));
  }

  function toggles(parent, all, chosen) {
    const at = [...parent.children].indexOf(document.activeElement);
    put(parent, all.map((name) => h('button', {type: 'button', 'aria-pressed': String(chosen.has(name)), onclick: () => {
      if (!chosen.delete(name)) chosen.add(name);
      changed();
    }}, name)));
    if (at >= 0) parent.children[at]?.focus();
  }

  // One question at a time: while one is answered, only the newest of those that follow is kept.
  async function load() {
    if (busy) {
      again = true;
      return;
    }
    busy = true;
    result.setAttribute('aria-busy', 'true');
    do {
      again = false;
      await loadOnce();
    } while (again && !closed);
    busy = false;
    result.setAttribute('aria-busy', 'false');
    sketch();
  }

  // Fills in the slider's steps that were not visited yet, in a cluster where that costs little.
  async function sketch() {
    for (let step = 1; step <= most() && most() <= SKETCHED && !busy && !closed; step++) {
      if (broken.has(step)) continue;
      const answer = await ask.get('whatif', {drain: names.slice(0, step)}).catch(() => undefined);
      if (!answer) return;
      broken.set(step, services(answer.json.broken).size);
      drawProfile();
    }
  }

  async function loadOnce() {
    const nothing = !lost.size && !drained.size && !Object.values(others).some((list) => list.length);
    if (nothing) {
      shown = '';
      put(result, h('p', {class: 'soft'}, 'Choose something that could happen.'));
      return;
    }
    const steps = stand() === drained.size && !lost.size ? drained.size : -1;
    try {
      const answer = await ask.get('whatif', {lose: [...lost], drain: [...drained], ...others});
      if (!answer) return;
      if (steps >= 0) broken.set(steps, services(answer.json.broken).size);
      drawProfile();
      if (answer.text === shown) return;
      shown = answer.text;
      put(result, outcome(answer.json), terminal(answer.text, result));
    } catch (problem) {
      shown = '';
      put(result, h('p', {class: 'problem'}, problem.message));
    }
  }

  // How many services fail at each step of the slider that was visited.
  function drawProfile() {
    const all = most();
    profile.hidden = all > 200 || broken.size < 2;
    if (profile.hidden) return;
    const top = Math.max(1, ...broken.values());
    put(profile, Array.from({length: all + 1}, (_, step) => {
      const failing = broken.get(step);
      const bar = h('i', {class: failing === 0 ? 'zero' : null});
      bar.style.setProperty('--part', String((failing ?? 0) / top));
      return h('span', {}, all <= SKETCHED && failing !== undefined && count(failing), bar);
    }));
  }

  const soon = later(120, load);
  // The question is a heavy one, so a lively cluster asks it again only now and then.
  const follow = atMost(4000, load);
  const stop = listen((news) => {
    const now = news.all || news.nodes.size ? nodeNames() : names;
    const others = now.join() !== names.join();
    if (!news.all && !news.services.size && !others) return;
    broken = new Map([[0, 0]]);
    names = now;
    if (others) drawControls();
    follow();
  });
  drawControls();
  load();
  return {
    title: 'What if',
    values(next) {
      replace(lost, next.getAll('lose'));
      replace(drained, next.getAll('drain'));
      for (const name of Object.keys(others)) others[name] = next.getAll(name);
      drawControls();
      load();
    },
    close() {
      closed = true;
      stop();
      soon.cancel();
      follow.cancel();
      ask.close();
    },
  };
}

function replace(set, values) {
  set.clear();
  for (const value of values) set.add(value);
}

function services(turns) {
  return new Set(turns.map((one) => `${one.namespace}/${one.name}`));
}

function outcome(json) {
  const failing = services(json.broken).size;
  return h('article', {class: 'card'},
    h('h2', {class: 'sentence'}, failing
      ? mark('bad', `${plural(failing, 'service')} would fail`) : mark('good', 'No service would fail')),
    h('p', {class: 'soft'}, json.events.map((one) => `${one.event}: ${one.effect}`).slice(0, 5).join('; '),
      json.events.length > 5 && `; and ${count(json.events.length - 5)} more`, '. ',
      `${plural(json.unchanged, 'service')} unchanged, as seen from ${plural(json.nodes, 'node')} that would stay.`),
    turns('Would be refused or dropped', json.broken),
    turns('Would be served again', json.mended),
    json.loads.length > 0 && h('section', {}, h('h3', {}, 'Would be served by more or fewer'),
      plainTable('Would be served by more or fewer',
        ['Service', {title: 'Endpoints now', number: true}, {title: 'Then', number: true}, {title: 'Load per endpoint', number: true}],
        json.loads.slice(0, SHOWN).map((one) => [name(one), count(one.endpointsBefore), count(one.endpointsAfter),
          `× ${one.loadPerEndpoint.toFixed(1)}`])), more(json.loads)),
    json.leavingZone.length > 0 && h('section', {}, h('h3', {}, 'Traffic would leave its zone'),
      plainTable('Traffic would leave its zone', ['Service', 'Zone', {title: 'Endpoints there now', number: true}, {title: 'Then', number: true}],
        json.leavingZone.slice(0, SHOWN).map((one) => [name(one), one.zone, count(one.endpointsInZoneBefore), count(one.endpointsInZoneAfter)])),
      more(json.leavingZone)));
}

function turns(title, list) {
  return list.length > 0 && h('section', {}, h('h3', {}, title),
    plainTable(title, ['Service', 'Traffic', 'Now', 'Then', 'On'], list.slice(0, SHOWN).map((one) => [
      name(one), traffic(one.traffic), verdictMark(one.before), verdictMark(one.after), where(one.nodes)])), more(list));
}

function more(list) {
  return list.length > SHOWN && h('p', {class: 'soft'}, `and ${count(list.length - SHOWN)} more`);
}

function name(one) {
  const id = `${one.namespace}/${one.name}`;
  return [h('a', {href: link('service', {id})}, id), one.port && `:${one.port}`, one.family === 'IPv6' && ' IPv6'];
}

function traffic(kinds) {
  return kinds.length === 3 ? 'all' : kinds.map((kind) => (kind === 'shortCircuit' ? 'short-circuit' : kind)).join(', ');
}

function where(nodes) {
  return nodes.count === 1 ? nodes.names[0] ?? 'the node that stays' : nodes.all ? `all ${plural(nodes.count, 'node')}` : nodes.names.length ? nodes.names.join(', ') : plural(nodes.count, 'node');
}
