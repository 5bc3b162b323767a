// A row of buttons of which one is pressed: what a list is narrowed to. They stay while numbers change, so that a click
// always meets the button that it was meant for.

import {count, h, text} from './dom.js';
import {icon} from './marks.js';

/** Makes the row; choose(id) is called when a button is pressed. */
export function chips(label, choose) {
  const element = h('div', {class: 'chips', role: 'group', 'aria-label': label});
  const buttons = new Map();

  function make({id, kind, word}) {
    const button = h('button', {type: 'button', onclick: () => choose(id)},
      kind && icon(kind), word, ' ', h('span', {class: 'tally'}));
    buttons.set(id, button);
    return button;
  }

  return {
    element,
    /** Shows these, in this order: [{id, kind, word, number}], with the one that is chosen. */
    show(list, chosen) {
      const all = list.map((one) => {
        const button = buttons.get(one.id) ?? make(one);
        button.setAttribute('aria-pressed', String(one.id === chosen));
        text(button.querySelector('.tally'), count(one.number));
        return button;
      });
      const same = all.length === element.children.length && all.every((one, i) => one === element.children[i]);
      if (!same) {
        const focused = document.activeElement;
        element.replaceChildren(...all);
        if (all.includes(focused)) focused.focus();
      }
    },
  };
}
