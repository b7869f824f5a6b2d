// Rival ways of drawing attention, as small as they can be, and the stopwatch for all of them.

{
  const SVG = 'http://www.w3.org/2000/svg';

  /** Seeded heads; rows sum to 1. */
  const make = (heads, n) => {
    const data = new Float32Array(heads * n * n);
    let seed = 1;
    for (let row = 0; row < heads * n; row += 1) {
      let sum = 0;
      for (let j = 0; j < n; j += 1) {
        seed = (seed * 1664525 + 1013904223) >>> 0;
        sum += (data[row * n + j] = (seed / 2 ** 32) ** 12);
      }
      for (let j = 0; j < n; j += 1) data[row * n + j] /= sum;
    }
    const tokens = Array.from({ length: n }, (_, k) => `t${k}`);
    return {
      tokens_q: tokens, tokens_k: tokens, mask: null, title: 'banco', head_labels: [],
      attn_weights: { shape: [heads, n, n], data },
    };
  };

  const ways = {
    /** A page that does nothing: what the machine itself adds. */
    nothing(host) {
      const box = document.createElement('div');
      box.style.height = '500px';
      box.addEventListener('pointermove', () => requestAnimationFrame(() => {}));
      host.append(box);
      return () => box;
    },
    /** The widget. */
    ours(host, payload) {
      const node = document.createElement('div');
      node.className = 'heatmap';
      node.dataset.heatmap = 'banco';
      host.append(node);
      const { element } = window.mountHeatmap(node, payload);
      return () => element.querySelector('.hm-body');
    },
    /** CircuitsVis's way: a canvas chart a head; lighting draws each chart again. */
    canvases(host, payload) {
      const { shape: [heads, n], data } = payload.attn_weights;
      const side = heads > 1 ? 64 : 512;
      const charts = Array.from({ length: heads }, (_, h) => {
        const canvas = document.createElement('canvas');
        canvas.width = canvas.height = side;
        host.append(canvas);
        const draw = (lit) => {
          const context = canvas.getContext('2d');
          context.clearRect(0, 0, side, side);
          const cell = side / n;
          for (let i = 0; i < n; i += 1) {
            for (let j = 0; j < n; j += 1) {
              context.fillStyle = `rgba(36, 26, 107, ${data[(h * n + i) * n + j] * (lit === null || lit === i ? 1 : 0.25)})`;
              context.fillRect(j * cell, i * cell, cell, cell);
            }
          }
        };
        draw(null);
        return draw;
      });
      const [first] = host.children;
      first.addEventListener('pointermove', (event) => {
        const row = Math.floor((event.offsetY / side) * n);
        requestAnimationFrame(() => charts.forEach((draw) => draw(row)));
      });
      return () => first;
    },
    /** BertViz's way: an SVG rect a square, and a line a pair from query to key. */
    svg(host, payload) {
      const { shape: [heads, n], data } = payload.attn_weights;
      const all = [];
      for (let h = 0; h < heads; h += 1) {
        const svg = document.createElementNS(SVG, 'svg');
        svg.setAttribute('viewBox', `0 0 ${n * 2} ${n}`);
        svg.setAttribute('width', '256');
        for (let i = 0; i < n; i += 1) {
          for (let j = 0; j < n; j += 1) {
            const rect = document.createElementNS(SVG, 'rect');
            const line = document.createElementNS(SVG, 'line');
            const weight = data[(h * n + i) * n + j];
            for (const [key, value] of Object.entries({ x: j, y: i, width: 1, height: 1, fill: '#241a6b', 'fill-opacity': weight })) rect.setAttribute(key, value);
            for (const [key, value] of Object.entries({ x1: n, y1: i, x2: 2 * n, y2: j, stroke: '#241a6b', 'stroke-opacity': weight })) line.setAttribute(key, value);
            svg.append(rect, line);
            all.push([i, rect, line, weight]);
          }
        }
        host.append(svg);
      }
      const [first] = host.children;
      first.addEventListener('pointermove', (event) => {
        const row = Math.floor(((event.clientY - first.getBoundingClientRect().top) / first.clientHeight) * n);
        requestAnimationFrame(() => {
          for (const [i, rect, line, weight] of all) {
            const value = i === row ? weight : weight * 0.25;
            rect.setAttribute('fill-opacity', value);
            line.setAttribute('stroke-opacity', value);
          }
        });
      });
      return () => first;
    },
  };

  const frames = () => new Promise((done) => { requestAnimationFrame(() => setTimeout(() => requestAnimationFrame(() => setTimeout(done)))); });

  const host = document.createElement('div');
  document.querySelector('main').append(host);

  const draw = async (who, heads, n) => {
    const payload = make(heads, n);
    host.replaceChildren();
    await frames();
    const start = performance.now();
    const target = ways[who](host, payload);
    await frames();
    return { time: performance.now() - start, target };
  };

  window.bench = {
    async draw(who, heads, n) { return (await draw(who, heads, n)).time; },

    async hover(who, heads, n, steps) {
      const { target } = await draw(who, heads, n);
      const node = target();
      node.scrollIntoView({ block: 'center' });
      await frames();
      const tasks = [];
      const observer = new PerformanceObserver((list) => tasks.push(...list.getEntries().map((e) => e.duration)));
      observer.observe({ type: 'longtask' });
      const native = window.requestAnimationFrame;
      let spent = 0;
      window.requestAnimationFrame = (act) => native((now) => {
        const start = performance.now();
        act(now);
        spent += performance.now() - start;
      });
      const times = [];
      const box = node.getBoundingClientRect();
      for (let k = 0; k < steps; k += 1) {
        spent = 0;
        const clientY = box.top + ((k * 37) % 97) / 97 * (box.height - 2) + 1;
        const clientX = box.left + ((k * 53) % 89) / 89 * (box.width - 2) + 1;
        const start = performance.now();
        node.dispatchEvent(new PointerEvent('pointermove', { clientX, clientY, bubbles: true, pointerType: 'mouse' }));
        spent += performance.now() - start;
        await new Promise((done) => { native(() => setTimeout(done)); });
        times.push(spent);
      }
      window.requestAnimationFrame = native;
      observer.disconnect();
      return { times, tasks };
    },
  };
}
