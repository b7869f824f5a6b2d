/**
 * The words that the page, the kernel and its worker share. Types only: nothing runs here.
 *
 * @typedef {{url: string, sha256: string, bytes: number, gzip?: number, brotli?: number,
 *   gzipSha256?: string}} RuntimeFile
 * @typedef {object} Runtime - the manifest written by sitegen/runtime.py
 * @property {Record<string, string>} versions
 * @property {Record<string, RuntimeFile>} files
 * @property {{info: object, packages: Record<string, any>}} lock
 * @property {number} table - length of the function table that the snapshot expects
 * @property {Record<string, string[]>} recipes
 *
 * @typedef {{wasm: WebAssembly.Module, libraries: [string, WebAssembly.Module][]}} Compiled
 *   what a worker hands to the page so that its successor need not compile again
 *
 * @typedef {object} BootOrder
 * @property {Runtime} runtime - with absolute URLs
 * @property {string} recipe - 'snapshot', 'pyc' or 'memory'
 * @property {string} lock - name of the Web Lock that tells the page that the worker lives
 * @property {import('./page/patience.js').Patience} patience
 * @property {Compiled} [compiled]
 * @property {ArrayBuffer} [memory] - a live snapshot to start from
 * @property {string[]} [packages] - whose files the memory's Python had installed
 * @property {import('./worker/files.js').Files} [files] - that cells had written
 * @property {boolean} [shadow] - get ready, but for the memory, and wait for `go`
 * @property {Promise<Partial<BootOrder>>} [rest] - what `go` brings, in the worker
 * @property {MessagePort} [helper] - to a second worker, which brings the files
 * @property {SharedArrayBuffer} [interrupt]
 * @property {boolean} [inflate] - this host compresses nothing: ask for .gz at once
 * @property {boolean} [fresh] - go past the HTTP cache: something in it was wrong
 *
 * @typedef {{step: string, loaded: number, total: number, waiting?: string[]}} Progress
 *
 * @typedef {object} Done
 * @property {'done'} status
 * @property {string|null} result
 * @property {any[]} display
 * @property {string} [text] - all that was printed, where the page may have got the end only
 *
 * @typedef {object} Failed
 * @property {'failed'} status
 * @property {'python'|'internal'|'stopped'|'memory'} kind
 * @property {string} name
 * @property {string} message
 * @property {number|null} line
 * @property {string} traceback
 * @property {string|null} [missing] - the name that a NameError lacks
 * @property {any[]} display
 * @property {string} [text] - as in Done
 *
 * @typedef {Done|Failed} Outcome
 *
 * @typedef {{names: string[], tasks: number}} About - what a namespace holds: variables, pending tasks
 *
 * @typedef {About & {memory: ArrayBuffer, packages: string[], files: import('./worker/files.js').Files}} Saved
 *   a live snapshot, and the packages and files that belong to it
 */
export {};
