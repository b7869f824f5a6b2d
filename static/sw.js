/**
 * The lesson without a network: a copy of one build, whole or not at all.
 *
 * The network goes first, always, so a new build is seen at once; the browser's own cache makes the
 * hashed files cost nothing. Only when it fails does the copy answer. A copy is taken on the page's
 * word: the HTML, then every content-hashed file that it names, then those that they name; the HTML
 * is stored last. Hashed names never change their content, so builds can't mix.
 */
const CACHE = 'lesson';
const HASHED = /[\w./-]*[-.](?:[0-9a-f]{10,}|[A-Z0-9]{8})[./][\w./-]*\w/g;
const TEXT = /\.(?:js|mjs|css)$/;

self.addEventListener('install', () => /** @type {any} */ (self).skipWaiting());
self.addEventListener('activate', (event) => {
  /** @type {any} */ (event).waitUntil(/** @type {any} */ (self).clients.claim());
});

self.addEventListener('fetch', (e) => {
  const event = /** @type {any} */ (e);
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  const ours = origin === location.origin && request.method === 'GET';
  if (ours && (request.mode === 'navigate' || pathname.match(HASHED))) {
    event.respondWith(fetch(request).catch((problem) => copyOf(request, problem)));
  }
});

self.addEventListener('message', (e) => {
  const event = /** @type {any} */ (e);
  const { type, page, runtime } = event.data;
  if (type !== 'keep') return;
  event.waitUntil(
    keep(page, runtime).then(
      (count) => event.source?.postMessage({ type: 'kept', count }),
      (problem) => console.warn('offline copy:', problem),
    ),
  );
});

/** @param {Request} request @param {unknown} problem */
async function copyOf(request, problem) {
  const ignoreSearch = request.mode === 'navigate';
  const copy = await caches.match(request, { cacheName: CACHE, ignoreSearch });
  if (copy) return copy;
  throw problem;
}

/**
 * Copy a page and all that it needs.
 * @param {string} page - its address
 * @param {string[]} runtime - addresses of the runtime's files that this reader has loaded: the
 *   others are copied only if the browser has them already
 * @returns {Promise<number>} how many files the copy has
 */
async function keep(page, runtime) {
  const cache = await caches.open(CACHE);
  const response = await fetch(page);
  if (!response.ok) throw new Error(`${page}: ${response.status}`);
  const needed = new Set(runtime);
  const found = new Set(hashedIn(await response.clone().text(), page));
  for (const url of found) {
    const optional = new URL(url).pathname.includes('/runtime/') && !needed.has(url);
    for (const more of await copy(cache, url, optional)) found.add(more);
  }
  await cache.put(page, response);
  await forgetOthers(cache, page, found);
  return found.size;
}

/**
 * @param {Cache} cache @param {string} url
 * @param {boolean} optional - only if the browser has it
 * @returns {Promise<string[]>} the hashed files that it names
 */
async function copy(cache, url, optional) {
  let response = await cache.match(url);
  if (!response) {
    /** @type {RequestInit} */
    const options = optional ? { cache: 'only-if-cached', mode: 'same-origin' } : {};
    response = await fetch(url, options).catch(() => undefined);
    if (!response?.ok) {
      if (optional) return [];
      throw new Error(`${url}: ${response?.status ?? 'no network'}`);
    }
    await cache.put(url, response.clone());
  }
  return TEXT.test(new URL(url).pathname) ? hashedIn(await response.text(), url) : [];
}

/**
 * Addresses of the content-hashed files of this site that a text names.
 * @param {string} text @param {string} base
 */
function hashedIn(text, base) {
  const urls = (text.match(HASHED) ?? []).map((name) => new URL(name, base).href);
  return urls.filter((url) => url.startsWith(new URL('./', location.href).href));
}

/**
 * Forget files of this page's older builds, unless another copied page names them.
 * @param {Cache} cache @param {string} page @param {Set<string>} found
 */
async function forgetOthers(cache, page, found) {
  const keys = await cache.keys();
  const pages = keys.filter(({ url }) => !new URL(url).pathname.match(HASHED) && url !== page);
  for (const other of pages) {
    const text = (await (await cache.match(other))?.text()) ?? '';
    for (const url of hashedIn(text, other.url)) found.add(url);
  }
  const stale = keys.filter(({ url }) => new URL(url).pathname.match(HASHED) && !found.has(url));
  await Promise.all(stale.map((request) => cache.delete(request)));
}
