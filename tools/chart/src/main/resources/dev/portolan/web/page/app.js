// Starts the page: follows the server, shows the view that the URL names, hears the keyboard.

import {keepToken, onMissingToken, takeToken} from './api.js';
import {changes} from './changes.js';
import {count, h, moment, put, text} from './dom.js';
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
let trouble = '';
let apartSince = null;
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

// The corner and the bar below it: whether what is shown is what there is now, and if not, why and since when.
function drawStatus() {
  const {kind, word, sentence, problem} = condition();
  const {overview, reading} = cluster;
  live.className = kind;
  live.title = problem || (overview ? `${overview.source}, Portolan ${overview.version}` : '');
  text(live.querySelector('[role=status]'), word);
  text(live.querySelector('.revision'), overview ? `revision ${count(cluster.revision)}` : '');
  const time = reading?.recordedAt || reading?.news;
  text(live.querySelector('.origin'), overview ? (time ? `${moment(time)}, ` : '') + overview.source : '');
  notice.className = kind;
  notice.hidden = !sentence;
  if (notice.textContent !== sentence + problem) put(notice, h('b', {}, sentence), problem && h('span', {}, problem));
}

function condition() {
  const {overview, reading} = cluster;
  if (overview === null) {
    return {kind: 'connecting', word: 'Connecting', problem: trouble, sentence: trouble && 'Not connected. '};
  }
  const shown = reading.news ? `What you see is as of ${moment(reading.recordedAt || reading.news)}. ` : 'Nothing was read yet. ';
  if (status !== 'connected') {
    return {kind: 'reconnecting', word: 'Reconnecting', problem: trouble,
      sentence: `The chart's server has not answered since ${moment(apartSince)}. ${shown}`};
  }
  if (reading.problem) {
    const files = reading.kind === 'files';
    return {kind: 'lost', word: files ? 'Unreadable' : 'Lost', problem: reading.problem,
      sentence: `${overview.source} ${files ? 'has been unreadable' : 'has not answered'} since ${moment(reading.lostAt)}. ${shown}`};
  }
  if (!reading.current) {
    return {kind: 'connecting', word: 'Reading', problem: '',
      sentence: 'The cluster is still being read; what you see is not complete yet.'};
  }
  if (reading.kind === 'recording') {
    return {kind: 'recording', word: 'Recording', problem: '',
      sentence: `A recording, ${overview.source}, as it was at ${moment(reading.recordedAt)}.`};
  }
  return {kind: 'live', word: reading.kind === 'files' ? 'Files' : 'Live', sentence: '', problem: ''};
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
    // Back to the list as it was; a visitor who followed a link to this page stays in the chart.
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
follow((word, why = '') => {
  if (word === 'connected') apartSince = null;
  else apartSince ??= new Date();
  status = word;
  trouble = why;
  drawStatus();
});
