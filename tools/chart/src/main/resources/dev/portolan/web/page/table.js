// A table of any length that only ever has the rows in sight in the document.

import {h, text} from './dom.js';

const SPARE = 8;
let tables = 0;

/**
 * Makes the table.
 *
 * columns: [{name, title, number, sort, draw(cell, row)}]; key(row): its identity; href(row): where a row leads;
 * onsort(name): a heading was pressed.
 */
export function windowTable({label, name, columns, key, href, onsort}) {
  const prefix = `t${++tables}-`;
  const heads = columns.map((column) => head(column, onsort));
  const bar = h('div', {class: 'row heads', role: 'row', 'aria-rowindex': 1}, heads);
  const body = h('div', {class: 'rows', role: 'rowgroup'});
  const sizer = h('div', {class: 'sizer', role: 'presentation'}, body);
  const scroller = h('div',
    {class: `table ${name}`, role: 'grid', 'aria-label': label, tabindex: 0},
    h('div', {class: 'heads-group', role: 'rowgroup'}, bar), sizer);

  let rows = [];
  let shown = new Map();
  let active = '';
  let height = 40;
  let asked = 0;

  function measure() {
    height = parseFloat(getComputedStyle(scroller).getPropertyValue('--row')) || 40;
    sizer.style.height = `${rows.length * height}px`;
  }

  function draw() {
    asked = 0;
    const top = Math.max(0, scroller.scrollTop - sizer.offsetTop + bar.offsetHeight);
    const first = Math.max(0, Math.floor(top / height) - SPARE);
    const last = Math.min(rows.length, Math.ceil((top + scroller.clientHeight) / height) + SPARE);
    const next = new Map();
    for (let i = first; i < last; i++) {
      const row = rows[i];
      const id = key(row);
      const line = shown.get(id) ?? makeLine(id);
      drawLine(line, row, i);
      next.set(id, line);
    }
    for (const [id, line] of shown) if (!next.has(id)) line.element.remove();
    // What stays is in order already, so only new lines are put in and none is moved.
    let cursor = body.firstChild;
    for (const line of next.values()) {
      if (line.element === cursor) cursor = cursor.nextSibling;
      else body.insertBefore(line.element, cursor);
    }
    shown = next;
    body.style.transform = `translateY(${first * height}px)`;
    const line = shown.get(active);
    if (line) scroller.setAttribute('aria-activedescendant', line.element.id);
    else scroller.removeAttribute('aria-activedescendant');
  }

  function makeLine(id) {
    const cells = columns.map((column) =>
      h('div', {class: `cell ${column.name}${column.number ? ' number' : ''}`, role: 'gridcell'}));
    const element = h('div', {class: 'row', role: 'row', id: prefix + id}, cells);
    element.addEventListener('click', (event) => {
      if (event.target.closest('a') || String(getSelection())) return;
      activate(id);
      const link = element.querySelector('a');
      if (event.ctrlKey || event.metaKey) open(link.href);
      else link.click();
    });
    return {element, cells, row: null};
  }

  function drawLine(line, row, index) {
    line.element.setAttribute('aria-rowindex', index + 2);
    line.element.classList.toggle('active', key(row) === active);
    line.element.setAttribute('aria-selected', key(row) === active);
    if (line.row === row) return;
    const fresh = line.row !== null;
    line.row = row;
    columns.forEach((column, i) => column.draw(line.cells[i], row));
    if (fresh) flash(line.element);
  }

  function soon() {
    if (!asked) asked = requestAnimationFrame(draw);
  }

  function activate(id) {
    active = id;
    soon();
  }

  function step(by) {
    if (!rows.length) return;
    const at = rows.findIndex((row) => key(row) === active);
    const to = at < 0 ? 0 : Math.min(rows.length - 1, Math.max(0, at + by));
    activate(key(rows[to]));
    const top = to * height;
    const view = scroller.clientHeight - bar.offsetHeight;
    if (top < scroller.scrollTop) scroller.scrollTop = top;
    else if (top + height > scroller.scrollTop + view) scroller.scrollTop = top + height - view;
  }

  scroller.addEventListener('scroll', soon, {passive: true});
  scroller.addEventListener('focus', () => active === '' && rows.length && activate(key(rows[0])));
  scroller.addEventListener('keydown', (event) => {
    if (event.target !== scroller || event.altKey || event.ctrlKey || event.metaKey) return;
    const page = Math.max(1, Math.floor(scroller.clientHeight / height) - 2);
    const steps = {ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -Infinity, End: Infinity};
    if (event.key in steps) step(steps[event.key]);
    else if (event.key === 'Enter' && active) location.hash = href(rows.find((row) => key(row) === active)) ?? '';
    else return;
    event.preventDefault();
  });
  const resized = new ResizeObserver(() => {
    measure();
    soon();
  });
  resized.observe(scroller);

  return {
    element: scroller,
    /** Shows these rows. */
    show(list) {
      rows = list;
      scroller.setAttribute('aria-rowcount', rows.length + 1);
      if (active && !rows.some((row) => key(row) === active)) active = '';
      measure();
      soon();
    },
    /** Marks the heading that rows are sorted by. */
    sorted(by, descending) {
      columns.forEach((column, i) => {
        if (column.sort) {
          heads[i].setAttribute('aria-sort', column.name !== by ? 'none' : descending ? 'descending' : 'ascending');
        }
      });
    },
    /** Goes to the first row, from the search box. */
    focus() {
      if (rows.length) active = key(rows[0]);
      scroller.scrollTop = 0;
      scroller.focus();
      soon();
    },
    /** Draws the rows in sight again, because something beside the rows changed. */
    refresh() {
      for (const line of shown.values()) columns.forEach((column, i) => column.draw(line.cells[i], line.row));
    },
    scrollTop(to) {
      if (to !== undefined) scroller.scrollTop = to;
      return scroller.scrollTop;
    },
    close() {
      resized.disconnect();
    },
  };
}

function head(column, onsort) {
  const label = column.sort
    ? h('button', {type: 'button', onclick: () => onsort(column.name)}, column.title)
    : h('span', {}, column.title);
  return h('div',
    {class: `cell ${column.name}${column.number ? ' number' : ''}`, role: 'columnheader',
      'aria-sort': column.sort ? 'none' : null}, label);
}

/** Lets an element light up for a moment, because it changed. */
export function flash(element) {
  element.classList.remove('changed');
  requestAnimationFrame(() => element.classList.add('changed'));
}

/** A column that shows one text. */
export function textColumn(name, title, value, more = {}) {
  return {
    name, title, ...more,
    draw(cell, row) {
      const words = String(value(row) ?? '');
      text(cell, words);
      if (!more.number) cell.title = words;
    },
  };
}

/** A table of few rows: heads are titles, or {title, number}; rows are lists of what cells contain. */
export function plainTable(label, heads, rows) {
  const titles = heads.map((one) => one.title ?? one);
  const kinds = heads.map((one) => (one.number ? 'number' : null));
  // The roles stay where a narrow screen lays rows out as blocks.
  return h('div', {class: 'plain'}, h('table', {role: 'table', 'aria-label': label},
    h('thead', {role: 'rowgroup'}, h('tr', {role: 'row'}, titles.map((title, i) =>
      h('th', {scope: 'col', role: 'columnheader', class: kinds[i]}, title)))),
    h('tbody', {role: 'rowgroup'}, rows.map((row) =>
      h('tr', {role: 'row', class: row.class ?? null}, (row.cells ?? row).map((cell, i) =>
        h('td', {role: 'cell', class: kinds[i], 'data-title': titles[i]}, h('div', {}, cell))))))));
}
