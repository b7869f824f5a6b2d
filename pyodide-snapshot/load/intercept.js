/**
 * Hand Pyodide what we have already brought and compiled, in place of what it would fetch itself. The
 * two global hooks are there during the boot only.
 */

/**
 * The result of `work`, or the failure of what it needs: Pyodide only warns when its wasm can't be
 * had, and then waits for ever.
 * @template T
 * @param {unknown} needed
 * @param {Promise<T>} work
 * @returns {Promise<T>}
 */
export const unlessFails = (needed, work) =>
  Promise.race([work, Promise.resolve(needed).then(() => work)]);

/**
 * During `work`, answer Pyodide's own fetches of these files with bytes we already have.
 * @template T
 * @param {Record<string, Promise<Uint8Array<ArrayBuffer>>|Uint8Array<ArrayBuffer>>} files
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withLocalFiles(files, work) {
  const real = self.fetch;
  self.fetch = async (input, init) => {
    const url = String(input instanceof Request ? input.url : input);
    const found = Object.keys(files).find((name) => url.endsWith(`/${name}`));
    if (!found) return real.call(self, input, init);
    const type = found.endsWith('.wasm') ? 'application/wasm' : 'application/octet-stream';
    return new Response(await files[found], { headers: { 'content-type': type } });
  };
  try {
    return await work();
  } finally {
    self.fetch = real;
  }
}

/**
 * During `work`, instantiate this module where Pyodide would compile its own.
 * @template T
 * @param {WebAssembly.Module|Promise<WebAssembly.Module>} compiled
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withModule(compiled, work) {
  const real = WebAssembly.instantiateStreaming;
  WebAssembly.instantiateStreaming = async (_source, imports) => {
    const module = await compiled;
    return { module, instance: await WebAssembly.instantiate(module, imports) };
  };
  try {
    return await work();
  } finally {
    WebAssembly.instantiateStreaming = real;
  }
}
