// Asks about one connection: client, destination, node; a sentence and the steps.

import {asker} from './api.js';
import {joined} from './chain.js';
import {atMost, h, plural, put} from './dom.js';
import {mark, verdictMark} from './marks.js';
import {go, link} from './router.js';
import {cluster, listen, nodeNames} from './store.js';
import {plainTable} from './table.js';

const ALL = '*';
const VERBS = {forward: 'is forwarded', reject: 'is rejected', drop: 'is dropped', none: 'is not handled'};

/** The view of the explain form. */
export function explain(main, first) {
  let values = first;
  let shown = '';
  const ask = asker();
  const target = h('input', {id: 'target', name: 'target', required: true, autocomplete: 'off', spellcheck: 'false',
    placeholder: 'shop/web, 10.96.0.10:53/udp, 30080', list: 'targets'});
  const client = h('input', {id: 'client', name: 'client', autocomplete: 'off', spellcheck: 'false',
    placeholder: 'pod, node, external, or an IP', list: 'clients'});
  const node = h('select', {id: 'node', name: 'node'});
  const mode = h('select', {id: 'mode', name: 'mode'});
  const targets = h('datalist', {id: 'targets'});
  const form = h('form', {class: 'form', onsubmit: submit},
    field('Destination', target), field('Client', client), field('On node', node), field('Mode', mode),
    h('button', {type: 'submit', class: 'primary'}, 'Explain'), targets,
    h('datalist', {id: 'clients'}, ['pod', 'node', 'external'].map((one) => h('option', {value: one}))));
  const result = h('div', {class: 'result', 'aria-live': 'polite'});
  put(main, h('div', {class: 'view'}, h('h1', {}, 'Explain a connection'),
    h('p', {class: 'lead'}, 'Where does a new connection go, and why? A service, an address, a URL or a nodePort.'), form, result));

  function submit(event) {
    event.preventDefault();
    const next = {target: target.value.trim(), client: client.value.trim(), node: node.value,
      mode: mode.value === modes()[0] ? '' : mode.value};
    if (link('explain', next) === location.hash) load();
    else go('explain', next);
  }

  function modes() {
    return cluster.overview.modes ?? [cluster.overview.mode];
  }

  function drawForm() {
    const names = nodeNames();
    put(node, names.map((name) => h('option', {value: name}, name)), h('option', {value: ALL}, 'all nodes'));
    put(targets, [...cluster.services.keys()].slice(0, 500).map((id) => h('option', {value: id})));
    put(mode, modes().map((name) => h('option', {value: name}, name)));
    mode.value = modes().includes(values.get('mode')) ? values.get('mode') : modes()[0];
    target.value = values.get('target') ?? '';
    client.value = values.get('client') ?? '';
    node.value = values.get('node') || cluster.overview.node || names[0] || ALL;
  }

  async function load() {
    if (!values.get('target')) {
      shown = '';
      put(result);
      return;
    }
    const all = node.value === ALL;
    try {
      const answer = await ask.get('explain', {
        target: values.get('target'), client: values.get('client'), node: all ? '' : node.value, all: all ? 'true' : '',
        mode: values.get('mode'),
      });
      if (!answer || answer.text === shown) return;
      shown = answer.text;
      put(result, all ? table(answer.json) : answer.json.answers.map(card), terminal(answer.text, result));
    } catch (problem) {
      shown = '';
      put(result, h('p', {class: 'problem'}, problem.message));
    }
  }

  const again = atMost(1000, load);
  const stop = listen((news) => {
    if (news.all || news.services.size) again();
  });
  drawForm();
  load();
  return {
    title: 'Explain',
    values(next) {
      values = next;
      drawForm();
      load();
    },
    focus: () => target.focus(),
    close() {
      stop();
      again.cancel();
      ask.close();
    },
  };
}

function field(name, input) {
  return h('div', {class: 'field'}, h('label', {for: input.id}, name), input);
}

function card(answer) {
  return h('article', {class: 'card'},
    h('h2', {class: 'sentence'}, sentence(answer)),
    h('p', {class: 'soft'}, verdictMark(answer.verdict), answer.service && [' ',
      h('a', {href: link('service', {id: answer.service.split(':')[0], node: answer.node})}, answer.service)], ` on node ${answer.node}`,
    answer.verdict === 'forward' && (answer.masquerade ? ', masqueraded' : ', not masqueraded')),
    answer.endpoints.length > 0 && plainTable(`Endpoints of ${answer.subject}`,
      [{title: 'Share', number: true}, 'Endpoint', 'Node', 'Pod', 'Why'],
      answer.endpoints.map((one) => [share(one.share), h('code', {}, joined(one)), one.node ?? '', one.target ?? '', one.reason ?? ''])),
    h('h3', {}, 'Why'),
    h('ol', {class: 'steps'}, answer.steps.map((step) => h('li', {}, step.text, source(step)))),
    answer.leftOut.length > 0 && [h('h3', {}, 'Left out'),
      h('ul', {class: 'steps out'}, answer.leftOut.map((one) =>
        h('li', {}, h('code', {}, joined(one)), ' ', one.reason, source(one))))]);
}

function sentence(answer) {
  const to = answer.endpoints.length ? ` to ${plural(answer.endpoints.length, 'endpoint')}` : '';
  return `A connection from ${answer.client} to ${answer.subject} ${VERBS[answer.verdict] ?? answer.verdict}${to}.`;
}

function share(part) {
  return part === undefined ? '' : `${Math.round(part * 1000) / 10} %`;
}

function source(step) {
  return step.object && h('small', {}, step.object, step.field && [', ', h('code', {}, step.field)], step.place && ` (${step.place})`);
}

function table(explanation) {
  return h('article', {class: 'card'}, h('h2', {class: 'sentence'}, `${explanation.target} on all nodes`),
    plainTable('Answers of all nodes', ['Node', 'Address', 'From', 'Verdict', 'Endpoints'],
      explanation.answers.map((one) => [
        h('a', {href: link('explain', {target: explanation.target, node: one.node})}, one.node),
        h('code', {}, one.subject), one.from, verdictMark(one.verdict),
        one.endpoints.length ? `${one.endpoints.length} of ${one.endpoints.length + one.leftOut.length}` : mark('none', 'none')])));
}

/** The answer as the command line prints it; open if the one before it in this place was. */
export function terminal(text, place) {
  const open = place.querySelector('details')?.open;
  return h('details', {class: 'terminal', open}, h('summary', {}, 'As the command line prints it'), h('pre', {tabindex: 0}, text));
}
