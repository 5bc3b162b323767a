// Draws the way of a connection: client, address, endpoints grouped by zone and node.

import {plural, s} from './dom.js';
import {verdictKind} from './marks.js';
import {link} from './router.js';

const LINE = 24;
const PER_NODE = 6;
const MOST = 48;
const CHARACTER = 7.3;

/** The drawing of one port, as wide as asked. */
export function chain(service, port, width) {
  const narrow = width < 680;
  const groups = grouped(port.endpoints, service.node);
  const used = port.endpoints.filter((endpoint) => endpoint.used).length;
  return narrow ? tall(service, port, groups, used, width) : wide(service, port, groups, used, width);
}

// Zones, their nodes, and what is drawn of these; the node one looks from comes first.
function grouped(endpoints, from) {
  const zones = new Map();
  for (const endpoint of endpoints) {
    const nodes = zones.get(endpoint.zone || '') ?? new Map();
    zones.set(endpoint.zone || '', nodes);
    const own = nodes.get(endpoint.node || '') ?? [];
    nodes.set(endpoint.node || '', own);
    own.push(endpoint);
  }
  let room = MOST;
  return [...zones].sort(([a], [b]) => (a < b ? -1 : 1)).map(([zone, nodes]) => ({
    zone,
    nodes: [...nodes].sort(([a], [b]) => (b === from) - (a === from) || (a < b ? -1 : 1)).map(([node, all]) => {
      all.sort((a, b) => b.used - a.used);
      const drawn = all.slice(0, Math.min(PER_NODE, Math.max(room, 0)));
      room -= drawn.length;
      return {node, here: node === from && node !== '', drawn, more: all.length - drawn.length};
    }),
  }));
}

function wide(service, port, groups, used, width) {
  const right = Math.max(330, Math.round(width * 0.43));
  const box = {client: 116, address: Math.min(250, Math.round(width * 0.26))};
  const addressX = box.client + 58;
  const groupX = width - right;
  const drawing = [];
  const places = drawGroups(drawing, groups, groupX, 0, right);
  const stack = port.addresses.length * 58 - 12;
  const height = Math.max(places.bottom, stack + 8, 96);
  const middle = height / 2;
  const hubX = Math.round((addressX + box.address + groupX) / 2) + 6;

  drawing.unshift(...places.dots.filter((dot) => dot.used).map((dot) =>
    s('path', {class: 'ray', d: curve(hubX + 13, middle, dot.x - 6, dot.y)})));
  let y = middle - stack / 2;
  for (const address of port.addresses) {
    const at = y + 23;
    drawing.push(s('path', {class: `way ${verdictKind(address.verdict)}`, d: curve(box.client, middle, addressX, at)}));
    drawing.push(addressBox(address, addressX, y, box.address));
    if (verdictKind(address.verdict) === 'good') {
      drawing.push(s('path', {class: 'way good', d: curve(addressX + box.address, at, hubX - 13, middle)}));
    } else {
      drawing.push(stop(addressX + box.address, at));
    }
    y += 58;
  }
  drawing.push(clientBox(0, middle - 23, box.client));
  if (port.addresses.some((one) => verdictKind(one.verdict) === 'good')) {
    drawing.push(rose(hubX, middle), note(hubX, middle + 32, `${used} of ${port.endpoints.length}`));
  }
  return picture(service, port, used, width, height, drawing);
}

function tall(service, port, groups, used, width) {
  const drawing = [clientBox(0, 0, width)];
  let y = 66;
  const forwards = port.addresses.some((one) => verdictKind(one.verdict) === 'good');
  for (const address of port.addresses) {
    drawing.unshift(s('path', {class: `way ${verdictKind(address.verdict)}`, d: `M14 ${y - 22} V${y + 4}`}));
    drawing.push(addressBox(address, 0, y, width));
    y += 58;
  }
  const hubY = y + 12;
  y += 36;
  const places = drawGroups(drawing, groups, 30, y, width - 30);
  if (forwards) {
    const dots = places.dots.filter((dot) => dot.used);
    for (const dot of dots) drawing.unshift(s('path', {class: 'ray', d: `M14 ${dot.y} H${dot.x - 6}`}));
    const last = dots.length ? dots[dots.length - 1].y : hubY;
    drawing.unshift(s('path', {class: 'way good', d: `M14 ${hubY - 26} V${last}`}));
    drawing.push(rose(14, hubY), s('text', {class: 'small', x: 34, y: hubY + 4}, `${used} of ${port.endpoints.length}`));
  }
  return picture(service, port, used, width, Math.max(places.bottom, hubY + 16), drawing);
}

function picture(service, port, used, width, height, drawing) {
  const addresses = port.addresses.map((one) => `${one.address}: ${one.verdict.toLowerCase()}`).join('; ');
  const words = `Seen from ${service.node}: ${addresses}. ` +
    `${used} of ${plural(port.endpoints.length, 'endpoint')} used.`;
  return s('svg', {class: 'chain', role: 'img', 'aria-label': words, viewBox: `0 0 ${width} ${height}`,
    width, height}, drawing);
}

function drawGroups(drawing, groups, x, top, width) {
  const dots = [];
  let y = top;
  for (const {zone, nodes} of groups) {
    const lines = nodes.reduce((sum, one) => sum + 1 + one.drawn.length + (one.more ? 1 : 0), 0);
    const height = 26 + lines * LINE + 6;
    drawing.push(s('rect', {class: 'zone', x, y: y + 1, width: width - 1, height, rx: 8}),
      s('text', {class: 'zone-name', x: x + 12, y: y + 20}, zone || 'no zone'));
    let at = y + 26;
    for (const {node, here, drawn, more} of nodes) {
      const name = fit(node || 'not on a node', width - (here ? 130 : 40));
      const label = s('text', {class: 'node-name', x: x + 12, y: at + 16}, name,
        here && s('tspan', {class: 'here', dx: 8}, 'seen from here'));
      drawing.push(node ? s('a', {href: link('node', {name: node})}, label) : label);
      at += LINE;
      for (const endpoint of drawn) {
        dots.push({x: x + 20, y: at + 12, used: endpoint.used});
        drawing.push(endpointLine(endpoint, x + 20, at + 12, width - 32));
        at += LINE;
      }
      if (more) {
        drawing.push(s('text', {class: 'small', x: x + 34, y: at + 16}, `and ${more} more`));
        at += LINE;
      }
    }
    y += height + 10;
  }
  if (!groups.length) {
    drawing.push(s('rect', {class: 'zone', x, y: y + 1, width: width - 1, height: 58, rx: 8}),
      s('text', {class: 'node-name', x: x + 16, y: y + 35}, 'no endpoints'));
    y += 68;
  }
  return {dots, bottom: y - 8};
}

function endpointLine(endpoint, x, y, width) {
  const address = joined(endpoint);
  const words = endpoint.used ? endpoint.pod || endpoint.why || '' : endpoint.why || endpoint.pod || '';
  const room = width - 24 - address.length * CHARACTER - 12;
  return s('g', {class: endpoint.used ? 'endpoint used' : 'endpoint out'},
    s('title', {}, [address, endpoint.pod, endpoint.why].filter(Boolean).join(', ')),
    s('circle', {cx: x, cy: y, r: 4.5}),
    s('text', {class: 'address', x: x + 14, y: y + 4}, fit(address, width - 24)),
    room > 50 && s('text', {class: 'reason', x: x + 14 + address.length * CHARACTER + 12, y: y + 4}, fit(words, room)));
}

function clientBox(x, y, width) {
  return s('g', {class: 'client'}, s('rect', {x: x + 1, y, width: width - 2, height: 46, rx: 8}),
    s('text', {class: 'node-name', x: x + 14, y: y + 28}, 'a client'));
}

function addressBox(address, x, y, width) {
  return s('g', {class: `at ${verdictKind(address.verdict)}`},
    s('title', {}, address.sentence || address.address),
    s('rect', {x: x + 1, y, width: width - 2, height: 46, rx: 8}),
    s('text', {class: 'address', x: x + 14, y: y + 20}, fit(address.address, width - 24)),
    s('text', {class: 'small', x: x + 14, y: y + 37}, fit(`${address.kind}, ${address.verdict.toLowerCase()}`, width - 24)));
}

/** An address and its port, as one writes them. */
export function joined(endpoint) {
  return endpoint.address.includes(':') ? `[${endpoint.address}]:${endpoint.port}` : `${endpoint.address}:${endpoint.port}`;
}

function stop(x, y) {
  return s('path', {class: 'stop', d: `M${x} ${y} h10 m-1 -6 l12 12 m0 -12 l-12 12`});
}

function rose(x, y) {
  return s('g', {class: 'rose'}, s('circle', {cx: x, cy: y, r: 13}),
    s('path', {d: `M${x} ${y - 11} l3 8 8 3 -8 3 -3 8 -3 -8 -8 -3 8 -3z`}));
}

function note(x, y, words) {
  return s('text', {class: 'small', x, y, 'text-anchor': 'middle'}, words);
}

function curve(x1, y1, x2, y2) {
  const bend = (x2 - x1) / 2;
  return `M${x1} ${y1} C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`;
}

function fit(words, room) {
  const most = Math.max(1, Math.floor(room / CHARACTER));
  return words.length <= most ? words : words.slice(0, most - 1) + '…';
}
