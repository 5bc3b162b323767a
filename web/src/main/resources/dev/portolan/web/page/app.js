// Starts the page: follows the server, shows the view that the URL names, hears the keyboard.

import {keepToken, onMissingToken, takeToken} from './api.js';
import {changes} from './changes.js';
import {count, h, put, text} from './dom.js';
import {explain} from './explain.js';
import {follow} from './live.js';
import {node} from './node.js';
import {nodes} from './nodes.js';
import {go, place} from './router.js';
import {search} from './search.js';
import {service} from './service.js';
import {services} from './services.js';
import {cluster, listen} from './store.js';
import {whatif} from './whatif.js';

const VIEWS = {services, service, nodes, node, changes, explain, whatif, search};
const PARENTS = {service: 'services', node: 'nodes', search: 'services'};

const main = document.getElementById('main');
const box = document.getElementById('q');
const live = document.getElementById('live');
const notice = document.getElementById('notice');

let shown = {name: '', view: null};
let status = 'connecting';
let steps = 0;

takeToken();

function show() {
  if (cluster.overview === null) return;
  const {view, values} = place();
  const name = VIEWS[view] ? view : 'services';
  if (shown.name === name && (shown.view.same?.(values) ?? true)) {
    shown.view.values(values);
  } else {
    shown.view?.close();
    main.classList.remove('full');
    const moved = shown.view !== null;
    shown = {name, view: VIEWS[name](main, values)};
    if (moved && document.activeElement !== box) main.focus({preventScroll: true});
    scrollTo(0, 0);
  }
  box.value = shown.view.query?.() ?? '';
  document.title = `${shown.view.title} · Portolan`;
  for (const link of document.querySelectorAll('nav a')) {
    const own = link.getAttribute('href') === `#/${PARENTS[name] ?? name}`;
    if (own) link.setAttribute('aria-current', 'page');
    else link.removeAttribute('aria-current');
  }
}

function drawStatus(why = '') {
  const words = {connecting: 'Connecting', live: 'Live', reconnecting: 'Reconnecting'};
  live.className = status;
  live.title = why || (cluster.overview ? `${cluster.overview.source}, Portolan ${cluster.overview.version}` : '');
  text(live.querySelector('[role=status]'), words[status]);
  text(live.querySelector('.revision'), status === 'live' ? `revision ${count(cluster.revision)}` : '');
  const unsynced = status === 'live' && cluster.overview && !cluster.overview.synced;
  notice.hidden = !(unsynced || (status !== 'live' && cluster.overview === null && why));
  put(notice, unsynced ? 'The cluster is still being read; what you see is not complete yet.' : why && `Not connected: ${why}`);
}

// The form in place of the page, until there is a token that the server takes.
let asking = null;
onMissingToken(() => (asking ??= new Promise((done) => {
  const input = h('input', {id: 'token', type: 'password', autocomplete: 'off', required: true});
  const form = h('form', {class: 'form token', onsubmit: (event) => {
    event.preventDefault();
    keepToken(input.value);
    asking = null;
    shown.view?.close();
    shown = {name: '', view: null};
    put(main);
    done(true);
    show();
  }}, h('div', {class: 'field'}, h('label', {for: 'token'}, 'Token'), input),
  h('button', {type: 'submit', class: 'primary'}, 'Open'));
  put(main, h('div', {class: 'view'}, h('h1', {}, 'This chart needs a token'),
    h('p', {class: 'lead'}, 'It is in the file that the server was started with as --chart-token-file. ' +
      'The browser keeps it until this tab is closed.'), form));
  input.focus();
})));

document.getElementById('search').addEventListener('submit', (event) => {
  event.preventDefault();
  if (shown.view?.enter) shown.view.enter();
  else go('search', {q: box.value.trim()});
});
box.addEventListener('input', () => shown.view?.type?.(box.value));
document.querySelector('.skip').addEventListener('click', (event) => {
  event.preventDefault();
  main.focus();
});
addEventListener('hashchange', () => {
  steps++;
  show();
});
addEventListener('keydown', (event) => {
  const typing = event.target.closest?.('input, textarea, select');
  if (event.key === '/' && !typing && !event.ctrlKey && !event.metaKey) {
    event.preventDefault();
    box.focus();
    box.select();
  } else if (event.key === 'Escape' && event.target === box) {
    if (box.value) {
      box.value = '';
      shown.view?.type?.('');
    } else box.blur();
    event.preventDefault();
  } else if (event.key === 'Escape' && !typing && PARENTS[shown.name]) {
    // Back to the list as it was; who came by a link from elsewhere stays in the chart.
    if (steps > 0) history.back();
    else go(PARENTS[shown.name]);
  } else if (event.key === 'ArrowDown' && event.target === box) {
    shown.view?.enter?.();
    event.preventDefault();
  }
});

listen((news) => {
  if (news.all && shown.view === null) show();
  drawStatus();
});
follow((word, why) => {
  status = word;
  drawStatus(why);
});
