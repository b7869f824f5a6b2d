/**
 * Keep the worker to the site's own origin, also on hosts that send no Content-Security-Policy: a
 * page's meta tag does not reach its workers. Where the header is there, the browser enforces it.
 */

/** Refuse every request to another origin, whoever makes it. */
export function keepToOrigin() {
  const scope = /** @type {any} */ (self);
  const realFetch = self.fetch;
  self.fetch = (input, init) => {
    const url = input instanceof Request ? input.url : String(input);
    return allowed(url) ? realFetch.call(self, input, init) : Promise.reject(refusal(url));
  };
  const realOpen = XMLHttpRequest.prototype.open;
  XMLHttpRequest.prototype.open = function (/** @type {any[]} */ ...args) {
    if (!allowed(String(args[1]))) throw refusal(String(args[1]));
    return /** @type {any} */ (realOpen).apply(this, args);
  };
  for (const name of ['WebSocket', 'EventSource', 'WebTransport', 'Worker', 'SharedWorker']) {
    if (name in scope) scope[name] = forbidden(name);
  }
}

/** @param {string} url */
function allowed(url) {
  const { protocol, origin } = new URL(url, location.href);
  return origin === location.origin || protocol === 'data:' || protocol === 'blob:';
}

/** @param {string} url */
const refusal = (url) => new TypeError(`Esta lección no se conecta con otros sitios: ${url}`);

/** @param {string} name */
const forbidden = (name) =>
  class {
    constructor() {
      throw refusal(name);
    }
  };
