"use strict";
(() => {
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const SVG = "http://www.w3.org/2000/svg", SIGN = 6.4, LINE = 15, DENSE = 4, NAMED = 17, ZOOMS = [1, 2, 4, 8, 16, 32];
  const buffers = document.getElementById("t-buffers"), steps = document.getElementById("t-steps");
  const columns = buffers ? all("thead th", buffers).map(th => th.textContent) : [];
  const rows = new Map(buffers ? all("tbody tr", buffers).map(tr => [tr.dataset.key, tr]) : []);
  const times = steps ? all("tbody tr", steps).map(tr => all("th, td", tr).map(cell => cell.textContent)) : [];
  const same = new Map();
  for (const box of all(".b")) same.set(box.dataset.key, [...(same.get(box.dataset.key) || []), box]);

  // Details: what the planning table says about a buffer, with the offset of the picture that was pointed at.
  let lit = null;
  function light(key) {
    if (lit === key) return;
    rows.get(lit)?.classList.remove("on");
    rows.get(key)?.classList.add("on");
    for (const view of all(".view")) view.querySelector(".lit").setAttribute("width", 0);
    for (const box of same.get(key) || []) {
      const frame = box.closest(".view").querySelector(".lit");
      for (const name of ["x", "y", "width", "height"]) frame.setAttribute(name, box.firstElementChild.getAttribute(name));
    }
    lit = key;
  }
  function describe(panel, box) {
    const row = rows.get(box.dataset.key);
    if (!row || panel.dataset.shown === box.dataset.key) return;
    panel.dataset.shown = box.dataset.key;
    const title = document.createElement("h3"), list = document.createElement("dl");
    const plan = box.closest(".view").dataset.plan === "plan";
    all("th, td", row).forEach((cell, at) => {
      const name = columns[at], text = name === "offset" ? box.dataset.offset : cell.title || cell.textContent;
      if (name === "name") title.textContent = text || box.dataset.label;
      else if (text && (plan || name !== "shares bytes")) list.append(pair(name, text));
    });
    panel.replaceChildren(title, list);
  }
  function pair(name, text) {
    const div = document.createElement("div"), term = document.createElement("dt"), value = document.createElement("dd");
    term.textContent = name;
    value.textContent = text.trim();
    div.append(term, value);
    return div;
  }

  // Labels go where there is room for them, and there is as much as the window has.
  function fitting(text, room) {
    if (text.length <= room) return text;
    const [number] = text.split(" ", 1), left = room - number.length - 3;
    if (!/^\d/.test(number)) return number.length >= 4 && number.length <= room ? number : "";
    if (left >= 4) return `${number} ..${text.slice(-left)}`;
    return number.length <= room ? number : "";
  }
  function written(parent, text, x, y, upright) {
    const element = document.createElementNS(SVG, "text");
    element.textContent = text;
    element.setAttribute("transform", `translate(${x} ${y})` + (upright ? " rotate(-90)" : ""));
    element.setAttribute("dy", 4);
    parent.append(element);
  }
  function relabel(view, width) {
    const layer = view.querySelector(".labels"), fresh = layer.cloneNode(false);
    for (const box of all(".b", view)) {
      const area = box.firstElementChild, at = name => parseFloat(area.getAttribute(name));
      const part = parseFloat(box.dataset.part || area.getAttribute("width"));
      const wide = part * width / 100, high = at("height"), text = box.dataset.label;
      const middle = [(at("x") + part / 2) * width / 100, at("y") + high / 2];
      const level = high >= LINE ? fitting(text, Math.floor((wide - 6) / SIGN)) : "";
      const upright = level.length < Math.min(text.length, 8) && high > wide && wide >= LINE - 1;
      const shown = upright ? fitting(text, Math.floor((high - 6) / SIGN)) : level;
      if (shown) written(fresh, shown, ...middle, upright);
    }
    layer.replaceWith(fresh);
    for (const text of all(".marks text.peak", view)) inside(text, width);
    thin(view, width);
  }
  function inside(text, width) {
    text.dataset.at ??= text.getAttribute("x");
    text.setAttribute("text-anchor", "middle");
    const half = text.getComputedTextLength() / 2 + 3, at = parseFloat(text.dataset.at) * width / 100;
    text.setAttribute("x", Math.max(Math.min(at, width - half), half));
  }
  function thin(view, width) {
    const axis = view.querySelector(".scroller .axis"), ticks = all(".tick", axis), column = width / ticks.length;
    const named = column >= NAMED && ticks.some(tick => tick.dataset.name);
    const digits = Math.max(...ticks.map(tick => tick.firstElementChild.textContent.length));
    const room = digits * 8 / column, every = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000].find(step => step >= room) || 2000;
    const start = Math.max(ticks.findIndex(tick => /\d/.test(tick.firstElementChild.textContent)), 0);
    view.classList.toggle("dense", column < DENSE);
    let longest = 0;
    ticks.forEach((tick, at) => {
      const shown = (at - start) % every === 0 && (at >= start || every === 1);
      tick[shown ? "removeAttribute" : "setAttribute"]("display", "none");
      tick.querySelector("g")?.remove();
      if (!named || !tick.dataset.name) return;
      const name = document.createElementNS(SVG, "g");
      name.setAttribute("text-anchor", "end");
      written(name, tick.dataset.name, (at + .5) * column, 27, true);
      tick.append(name);
      longest = Math.max(longest, name.firstElementChild.getComputedTextLength());
    });
    for (const svg of all(".axis", view)) svg.style.height = named ? `${Math.ceil(35 + longest)}px` : "";
  }

  for (const view of all(".view")) {
    const map = view.querySelector(".map"), panel = view.querySelector(".details"), boxes = all(".b", view);
    const scroller = view.querySelector(".scroller"), readout = view.querySelector(".readout");
    const [zoom] = all(".zoom output", view), tools = view.querySelector(".tools");
    let held = null, level = 0;
    const boxOf = event => event.target.closest?.(".b");
    const hint = () => { panel.textContent = boxes.length ? "Point, tap or tab to a buffer." : ""; delete panel.dataset.shown; };
    tools.hidden = panel.hidden = !boxes.length;
    hint();

    function show(box) {
      light(box ? box.dataset.key : null);
      if (box) describe(panel, box); else hint();
    }
    function go(box) {
      for (const other of boxes) other.tabIndex = other === box ? 0 : -1;
      box.focus({ preventScroll: false });
    }
    map.addEventListener("pointerover", event => { const box = boxOf(event); if (box) show(box); });
    map.addEventListener("pointerleave", () => show(held));
    map.addEventListener("click", event => { held = boxOf(event) || null; show(held); });
    // Not on the svg itself, which a listener of its own would make a stop of the Tab key in Chromium.
    view.addEventListener("focusin", event => { const box = boxOf(event); if (box) show(box); });
    map.addEventListener("keydown", event => {
      const box = boxOf(event), at = boxes.indexOf(box);
      if (event.key === "Escape") { held = null; show(null); return; }
      if (!box) return;
      if (event.key === "Enter" || event.key === " ") { held = box; show(box); event.preventDefault(); return; }
      const next = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: boxes.length - 1 }[event.key];
      const target = next === undefined ? above(box, { ArrowUp: 1, ArrowDown: -1 }[event.key]) : boxes[next];
      if (target) go(target);
      if (target || next !== undefined) event.preventDefault();
    });
    // The nearest buffer above (1) or below (-1) that is alive at the same time.
    function above(box, way) {
      if (!way) return null;
      const area = other => ["x", "width"].map(name => parseFloat(other.firstElementChild.getAttribute(name)));
      const [x, width] = area(box), base = Number(box.dataset.offset);
      const near = boxes.filter(other => {
        const [left, wide] = area(other);
        return (Number(other.dataset.offset) - base) * way > 0 && left < x + width - 1e-3 && x < left + wide - 1e-3;
      });
      return near.sort((a, b) => (a.dataset.offset - b.dataset.offset) * way)[0];
    }

    scroller.addEventListener("pointermove", event => {
      const area = map.getBoundingClientRect(), count = times.length;
      const at = Math.min(Math.max(Math.floor((event.clientX - area.left) / area.width * count), 0), count - 1);
      const [step, op, name, alive, used] = times[at] || [];
      if (step === undefined) return;
      const shared = alive === used ? "" : `, ${used} in use`;
      readout.textContent = `step ${step} · ${/\d/.test(op) ? `op ${op} ` : ""}${name} · ${alive} bytes alive${shared}`;
      for (const cross of all(".cross", view)) {
        cross.setAttribute("x", `${at / count * 100}%`);
        cross.setAttribute("width", `${100 / count}%`);
      }
    });
    scroller.addEventListener("pointerleave", () => {
      readout.textContent = "";
      for (const cross of all(".cross", view)) cross.setAttribute("width", 0);
    });

    tools.addEventListener("click", event => {
      const way = Number(event.target.dataset?.zoom);
      if (!way) return;
      const middle = (scroller.scrollLeft + scroller.clientWidth / 2) / scroller.scrollWidth;
      level = Math.min(Math.max(level + way, 0), ZOOMS.length - 1);
      zoom.textContent = `${ZOOMS[level]}×`;
      for (const svg of all(".scroller > svg", view)) svg.style.width = `${100 * ZOOMS[level]}%`;
      scroller.scrollLeft = middle * scroller.scrollWidth - scroller.clientWidth / 2;
    });
    new ResizeObserver(() => relabel(view, map.clientWidth || map.getBoundingClientRect().width)).observe(map);
    addEventListener("beforeprint", () => relabel(view, view.closest(".peers") ? 400 : 900));
    addEventListener("afterprint", () => relabel(view, map.getBoundingClientRect().width));
  }

  // Rows of the planning table light up their rectangles.
  buffers?.addEventListener("pointerover", event => light(event.target.closest?.("tbody tr")?.dataset.key ?? null));
  buffers?.addEventListener("pointerleave", () => light(null));

  // Tables sort by a click on a heading, and show the rows that hold what was typed.
  for (const table of all("table[data-sortable]")) {
    const body = table.tBodies[0];
    for (const head of all("thead th", table)) {
      const button = document.createElement("button"), number = head.classList.contains("number");
      button.type = "button";
      button.textContent = head.textContent;
      head.replaceChildren(button);
      button.addEventListener("click", () => {
        const up = head.getAttribute("aria-sort") ? head.getAttribute("aria-sort") === "descending" : !number;
        const value = row => row.cells[head.cellIndex].textContent;
        const order = number ? (a, b) => value(a) - value(b) : (a, b) => value(a).localeCompare(value(b), "en", { numeric: true });
        for (const other of all("thead th", table)) other.removeAttribute("aria-sort");
        head.setAttribute("aria-sort", up ? "ascending" : "descending");
        body.append(...[...body.rows].sort((a, b) => (up ? 1 : -1) * order(a, b)));
      });
    }
  }
  for (const input of all("input[data-filter]")) {
    const table = document.getElementById(input.dataset.filter), count = table.querySelector("output");
    const texts = all("tbody tr", table).map(row => [row, [row.textContent, ...all("[title]", row).map(cell => cell.title)].join(" ").toLowerCase()]);
    input.addEventListener("input", () => {
      const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
      let shown = 0;
      for (const [row, text] of texts) {
        row.hidden = !words.every(word => text.includes(word));
        shown += !row.hidden;
      }
      count.textContent = shown === texts.length ? `${shown} rows` : `${shown} of ${texts.length} rows`;
    });
  }
})();
