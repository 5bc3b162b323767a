// One service, as one node sees it.

import {asker} from './api.js';
import {chain, joined, tally} from './chain.js';
import {atMost, count, h, later, plural, put, s} from './dom.js';
import {mark, stateMark, verdictMark} from './marks.js';
import {go, link} from './router.js';
import {cluster, listen, nodeNames} from './store.js';
import {plainTable} from './table.js';
import {perSecond, rates} from './traffic.js';

const SHOWN = 200;
const POINTS = 60;

/** The view of a service: id, and the node to look from. */
export function service(main, first) {
  let values = first;
  const id = values.get('id') ?? '';
  const ask = asker();
  const past = asker();
  const rate = rates(id);
  const points = new Map();
  let answer = null;
  let all = false;

  const head = h('div', {class: 'head'});
  const node = h('select', {id: 'seen-from', onchange: () => change({node: node.value})});
  const why = h('a', {class: 'button'}, 'Explain from here');
  const ports = h('div', {class: 'tabs', role: 'group', 'aria-label': 'Port'});
  const drawing = h('div', {class: 'drawing'});
  const body = h('div', {});
  const traffic = h('section', {hidden: true});
  const history = h('section', {hidden: true});
  const from = h('p', {class: 'from'}, h('label', {for: 'seen-from'}, 'Seen from node'), node, why);
  put(main, h('div', {class: 'view'}, head, from, ports, drawing, body, traffic, history));

  function change(changes) {
    go('service', {...Object.fromEntries(values), ...changes});
  }

  async function load() {
    try {
      const next = await ask.get('service', {id, node: values.get('node')});
      if (!next) return;
      answer = next;
      draw();
    } catch (problem) {
      answer = null;
      put(head, crumbs(id), h('h1', {}, id), h('p', {class: 'problem'}, problem.message));
      put(ports);
      put(drawing);
      put(body);
    }
  }

  function draw() {
    if (!answer) return;
    drawHead();
    drawNodes();
    const chosen = Math.max(0, answer.ports.findIndex((port) => portName(port) === values.get('port')));
    put(ports, answer.ports.length > 1 && answer.ports.map((port, i) =>
      h('button', {type: 'button', 'aria-pressed': String(i === chosen), onclick: () => change({port: portName(port)})},
        portName(port))));
    const port = answer.ports[chosen];
    // What is not proxied looks the same from everywhere, and has no way to be drawn.
    const proxied = !answer.skipped;
    from.hidden = !proxied;
    drawing.hidden = !proxied;
    drawChain(proxied && port);
    put(body, port && (proxied ? [addresses(port), endpoints(port)] : members(port)));
  }

  function drawHead() {
    const row = answer.row;
    put(head, crumbs(id),
      h('div', {class: 'title'}, h('h1', {}, h('span', {class: 'namespace'}, row.namespace, '/'), row.name),
        stateMark(row.state)),
      row.why && h('p', {class: 'why'}, row.why),
      (answer.warnings ?? []).map((warning) => h('p', {class: 'warning'}, mark('warn', warning.text ?? warning))),
      h('dl', {class: 'facts'}, facts(answer).map(([name, value]) => h('div', {}, h('dt', {}, name), h('dd', {}, value)))));
  }

  function drawNodes() {
    const names = nodeNames();
    const key = names.join(' ');
    if (node.dataset.key !== key) {
      node.dataset.key = key;
      put(node, names.map((name) => h('option', {value: name}, name)));
    }
    node.value = answer.node;
    why.href = link('explain', {target: id, node: answer.node});
  }

  function drawChain(port) {
    put(drawing, port && chain(answer, port, Math.floor(drawing.clientWidth || 900)));
  }

  function addresses(port) {
    return h('section', {}, h('h2', {}, 'Addresses'),
      plainTable('Addresses', ['Address', 'Kind', 'Verdict', 'What happens'], port.addresses.map((one) => [
        h('a', {href: link('explain', {target: `${one.address}${suffix(one, port)}`, node: answer.node}),
          title: 'Explain this address'}, h('code', {}, one.address)),
        one.kind, verdictMark(one.verdict), one.sentence])));
  }

  function endpoints(port) {
    return listed(port.endpoints, {
      tally: `${tally(port.endpoints)} used`,
      none: 'This port has no endpoints.',
      title: 'Used', last: 'Why',
      good: (one) => one.used,
      mark: (one) => (one.used ? mark('good', 'used') : mark('none', 'not used')),
      words: (one) => one.why || conditions(one),
    });
  }

  // The endpoints of a service that is not proxied.
  function members(port) {
    return listed(port.endpoints, {
      tally: '', none: 'This service has no endpoints.', title: 'Ready', last: 'State',
      good: (one) => one.ready,
      mark: (one) => (one.ready ? mark('good', 'ready') : mark('none', 'not ready')),
      words: conditions,
    });
  }

  function listed(endpoints, as) {
    const sorted = [...endpoints].sort((a, b) => as.good(b) - as.good(a));
    const shown = all ? sorted : sorted.slice(0, SHOWN);
    return h('section', {}, h('h2', {}, 'Endpoints ', h('small', {}, as.tally)),
      endpoints.length === 0 ? h('p', {class: 'empty'}, as.none)
        : plainTable('Endpoints', [as.title, 'Address', 'Pod', 'Node', 'Zone', as.last], shown.map((one) => ({
          class: as.good(one) ? null : 'out',
          cells: [
            as.mark(one), h('code', {}, joined(one)), one.pod ?? '',
            one.node ? h('a', {href: link('node', {name: one.node})}, one.node) : '',
            one.zone ?? '', as.words(one),
          ],
        }))),
      shown.length < sorted.length && h('p', {},
        h('button', {type: 'button', onclick: () => {
          all = true;
          draw();
        }}, `Show all ${count(sorted.length)}`)));
  }

  function drawTraffic(reading) {
    const mine = reading.services.find((one) => one.id === id);
    traffic.hidden = !mine;
    if (!mine) return;
    put(traffic, h('h2', {}, 'Traffic'), plainTable('Traffic',
      ['Port', {title: 'New per second', number: true}, 'Last minutes', {title: 'Connections', number: true},
        {title: 'Refused', number: true}, {title: 'Dropped', number: true}],
      mine.ports.map((port) => {
        const now = rate.ofPort(id, port.port);
        const line = points.get(port.port) ?? [];
        points.set(port.port, line);
        if (now !== undefined) line.push(now);
        if (line.length > POINTS) line.shift();
        return [String(port.port), now === undefined ? '' : perSecond(now), spark(line), count(port.connections),
          count(port.refused ?? 0), count(port.dropped ?? 0)];
      })));
  }

  async function loadHistory() {
    if (!cluster.overview.history) return;
    const told = await past.get('history', {id, node: values.get('node')}).catch(() => undefined);
    history.hidden = !told?.available;
    if (told?.available) put(history, h('h2', {}, 'History'), h('pre', {tabindex: 0, 'aria-label': 'History'}, told.text));
  }

  const again = atMost(200, load);
  const stop = listen((news) => {
    if (news.all || news.services.has(id)) again();
    if (news.services.has(id)) laterHistory();
  });
  const laterHistory = atMost(2000, loadHistory);
  const resized = new ResizeObserver(later(50, () => answer && draw()));
  resized.observe(drawing);
  load();
  loadHistory();
  rate.start(drawTraffic);

  return {
    title: id,
    same: (next) => next.get('id') === id,
    values(next) {
      const other = next.get('node') !== values.get('node');
      values = next;
      if (other) {
        load();
        loadHistory();
      } else draw();
    },
    close() {
      stop();
      ask.close();
      past.close();
      rate.close();
      again.cancel();
      laterHistory.cancel();
      resized.disconnect();
    },
  };
}

function crumbs(id) {
  return h('p', {class: 'crumbs'}, h('a', {href: link('services')}, 'Services'), ' / ',
    h('a', {href: link('services', {namespace: id.split('/')[0]})}, id.split('/')[0]));
}

function portName(port) {
  const number = `${port.port}/${port.protocol}`;
  return (port.name ? `${port.name} ${number}` : number) + (port.family ? ` ${port.family}` : '');
}

function suffix(one, port) {
  return /\/[A-Za-z]+$/.test(one.address) ? '' : `/${port.protocol}`;
}

function facts(answer) {
  const all = [['Type', answer.row.type], ['Ports', answer.row.ports]];
  const ready = `${count(answer.row.ready)} of ${plural(answer.row.endpoints, 'endpoint')}` +
    (answer.row.terminating ? `, ${count(answer.row.terminating)} terminating` : '');
  all.push(['Ready', ready]);
  if (answer.internalPolicy) all.push(['Internal traffic', answer.internalPolicy]);
  const external = answer.externalPolicy === 'Local' || answer.row.type !== 'ClusterIP';
  if (external && answer.externalPolicy) all.push(['External traffic', answer.externalPolicy]);
  const affinity = answer.sessionAffinity;
  all.push(['Affinity', affinity ? affinity.sentence ?? `${affinity.type ?? 'ClientIP'}, ${duration(affinity)}` : 'none']);
  if (answer.sourceRanges?.length) all.push(['Allowed sources', answer.sourceRanges.join(', ')]);
  if (answer.healthCheckNodePort) all.push(['Health check port', String(answer.healthCheckNodePort)]);
  if (answer.trafficDistribution) all.push(['Distribution', answer.trafficDistribution]);
  return all;
}

function duration(affinity) {
  const seconds = affinity.timeoutSeconds ?? affinity.seconds;
  if (!seconds) return 'on';
  return seconds % 3600 === 0 ? plural(seconds / 3600, 'hour') : plural(seconds, 'second');
}

function conditions(one) {
  if (one.terminating) return one.serving ? 'terminating, still serving' : 'terminating';
  return one.ready ? 'ready' : 'not ready';
}

function spark(values) {
  const top = Math.max(1, ...values);
  const points = values.map((value, i) => `${i * 2},${22 - (value / top) * 20}`).join(' ');
  return s('svg', {class: 'spark', viewBox: `0 0 ${POINTS * 2} 24`, width: POINTS * 2, height: 24, 'aria-hidden': 'true'},
    s('polyline', {points}));
}
