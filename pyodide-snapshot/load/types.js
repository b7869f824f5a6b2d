/**
 * What the loader is told and what it tells. Types only: nothing runs here.
 *
 * @typedef {object} RuntimeFile
 * @property {string} url
 * @property {string} sha256
 * @property {number} bytes
 * @property {'boot'|'late'|'lazy'} when - before Python stands, as soon as it does, or when it is read
 * @property {'constants'|'docstrings'} [memory] - what of Python's memory it holds, where it is late
 * @property {number} [gzip] - bytes of its .gz
 * @property {number} [brotli] - bytes of its .br
 * @property {string} [gzipSha256]
 *
 * @typedef {object} LockEntry - a package in Pyodide's lock
 * @property {string} name
 * @property {string} version
 * @property {string} file_name - in the manifest's files; an absolute URL once it is for use
 *
 * @typedef {object} Manifest - what the build has written, by pyodide_snapshot/manifest.py
 * @property {Record<string, string>} versions
 * @property {Record<string, RuntimeFile>} files
 * @property {{info: object, packages: Record<string, LockEntry>}} lock
 * @property {number} table - length of the function table that the snapshot expects
 * @property {{snapshot: string[], pyc: string[]}} recipes - the files that each needs, in order
 *
 * @typedef {'snapshot'|'memory'|'pyc'} Recipe - see boot.js
 *
 * @typedef {{wasm: WebAssembly.Module, libraries: [string, WebAssembly.Module][]}} Compiled
 *   what a worker hands on so that its successor need not compile again
 *
 * @typedef {object} Memory - a live snapshot, where there is one to start from
 * @property {ArrayBuffer} [memory]
 * @property {string[]} [packages] - whose files its Python had installed
 *
 * @typedef {object} Task - what is to be loaded, and how
 * @property {Manifest} runtime - with absolute URLs: see manifest.js
 * @property {Recipe} recipe
 * @property {Compiled} [compiled]
 * @property {Partial<import('./patience.js').Patience>} [patience]
 * @property {string} [lock] - name of the Web Lock of who loads; its helper's is made from it
 * @property {boolean} [inflate] - this host compresses nothing: ask for .gz at once
 * @property {boolean} [fresh] - go past the HTTP cache: something in it was wrong
 *
 * @typedef {Task & Memory & {rest?: Promise<Memory>}} BootOrder
 *   `rest` brings the memory, if any, when it is wanted; all else is made ready before
 *
 * @typedef {object} Progress
 * @property {string} step
 * @property {number} loaded - bytes
 * @property {number} total - bytes
 * @property {string[]} [waiting] - files that are not whole yet
 *
 * @typedef {object} Booted
 * @property {any} pyodide
 * @property {Compiled} [compiled] - where it was started from a memory
 * @property {import('./deferred.js').Deferred} [deferred] - what its memory has come without
 */
export {};
