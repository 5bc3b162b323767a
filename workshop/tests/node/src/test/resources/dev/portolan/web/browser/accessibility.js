// Looks at the page as it is computed and answers with a sentence per finding.
() => {
  const findings = [];
  const where = (element) =>
    `${element.tagName.toLowerCase()}${element.id ? '#' + element.id : ''}.${element.getAttribute('class') ?? ''} ` +
    `"${(element.textContent ?? '').trim().slice(0, 40)}"`;

  const visible = (element) => {
    const box = element.getBoundingClientRect();
    if (box.width < 2 || box.height < 2) return false;
    return element.checkVisibility({opacityProperty: true, visibilityProperty: true});
  };

  // 1. What can be used has a name, and ids are unique.
  const name = (element) => {
    const labels = element.labels ? [...element.labels].map((label) => label.textContent) : [];
    const by = (element.getAttribute('aria-labelledby') ?? '').split(' ').filter(Boolean)
      .map((id) => document.getElementById(id)?.textContent ?? '');
    return [element.getAttribute('aria-label'), ...by, ...labels, element.textContent, element.getAttribute('alt')]
      .map((words) => (words ?? '').trim()).find(Boolean) ?? '';
  };
  for (const element of document.querySelectorAll('a, button, input, select, [role=grid], [role=group], svg[role=img]')) {
    if (element.closest('[aria-hidden=true]') || !visible(element)) continue;
    if (!name(element)) findings.push(`no name: ${where(element)}`);
  }
  const ids = new Set();
  for (const element of document.querySelectorAll('[id]')) {
    if (ids.has(element.id)) findings.push(`the id ${element.id} is there twice`);
    ids.add(element.id);
  }
  for (const image of document.querySelectorAll('img:not([alt]), svg:not([aria-hidden]):not([role])')) {
    findings.push(`neither a text nor hidden: ${where(image)}`);
  }

  // 2. Landmarks, the language, headings without gaps.
  if (!document.documentElement.lang) findings.push('no language');
  for (const landmark of ['header', 'nav', 'main']) {
    if (document.querySelectorAll(landmark).length !== 1) findings.push(`not one ${landmark}`);
  }
  let level = 0;
  for (const heading of document.querySelectorAll('main h1, main h2, main h3')) {
    const own = Number(heading.tagName[1]);
    if (own > level + 1) findings.push(`a heading is left out before ${where(heading)}`);
    level = own;
  }

  // 3. Contrast of text: 4.5, or 3 for large text (WCAG AA).
  const canvas = document.createElement('canvas').getContext('2d', {willReadFrequently: true});
  const rgba = (colour) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
    return [r, g, b, a / 255];
  };
  const over = (front, back) => {
    const a = front[3];
    return [0, 1, 2].map((i) => front[i] * a + back[i] * (1 - a)).concat(1);
  };
  const background = (element) => {
    const layers = [];
    for (let at = element; at; at = at.parentElement) {
      const colour = rgba(getComputedStyle(at).backgroundColor);
      if (colour[3] > 0) layers.push(colour);
      if (colour[3] === 1) break;
    }
    return layers.reverse().reduce((below, layer) => over(layer, below), [255, 255, 255, 1]);
  };
  const light = ([r, g, b]) => {
    const [x, y, z] = [r, g, b].map((part) => {
      const value = part / 255;
      return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * x + 0.7152 * y + 0.0722 * z;
  };
  const contrast = (one, other) => {
    const [low, high] = [light(one), light(other)].sort((a, b) => a - b);
    return (high + 0.05) / (low + 0.05);
  };
  const check = (element, colour, back) => {
    const style = getComputedStyle(element);
    const size = parseFloat(style.fontSize);
    const large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
    const found = contrast(over(rgba(colour), back), back);
    if (found < (large ? 3 : 4.5)) findings.push(`contrast ${found.toFixed(2)}: ${where(element)}`);
  };
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const seen = new Set();
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    if (!walker.currentNode.data.trim() || seen.has(element)) continue;
    seen.add(element);
    if (element.closest('noscript, datalist, option, .unseen, .skip, title') || !visible(element)) continue;
    if (element.closest('button:disabled')) continue;
    const svg = element.closest('svg');
    if (!svg) check(element, getComputedStyle(element).color, background(element));
    else {
      // Text in a drawing lies on the page, or on the boxes of the drawing.
      const page = background(svg.parentElement);
      const boxes = [...svg.querySelectorAll('rect')].map((box) => rgba(getComputedStyle(box).fill));
      for (const back of [page, ...boxes.map((box) => over(box, page))]) check(element, getComputedStyle(element).fill, back);
    }
  }

  // 4. Nothing makes the page itself scroll sideways, and a finger can hit what it should.
  if (document.documentElement.scrollWidth > document.documentElement.clientWidth) {
    const wide = [...document.querySelectorAll('body *')]
      .filter((element) => element.getBoundingClientRect().right > document.documentElement.clientWidth + 1)
      .slice(0, 3).map(where);
    findings.push(`wider than the screen: ${wide.join('; ')}`);
  }
  for (const element of document.querySelectorAll('button, input, select')) {
    if (!visible(element)) continue;
    const box = element.getBoundingClientRect();
    if (box.height < 24 && !element.closest('.heads')) findings.push(`smaller than a finger: ${where(element)}`);
  }

  // 5. Numbers stand right-aligned and do not jump.
  for (const cell of document.querySelectorAll('.number')) {
    const style = getComputedStyle(cell);
    if (style.textAlign !== 'right') findings.push(`a number on the left: ${where(cell)}`);
    if (!style.fontVariantNumeric.includes('tabular-nums')) findings.push(`a number that jumps: ${where(cell)}`);
  }
  return findings;
}
