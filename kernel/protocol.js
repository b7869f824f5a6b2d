/**
 * What the page and its worker say to one another: every message, told apart by `type`. Types only:
 * nothing runs here.
 *
 * @typedef {import('../pyodide-snapshot/load/types.js').Manifest} Manifest
 * @typedef {import('../pyodide-snapshot/load/types.js').Recipe} Recipe
 * @typedef {import('../pyodide-snapshot/load/types.js').Compiled} Compiled
 * @typedef {import('../pyodide-snapshot/load/types.js').Progress} Progress
 * @typedef {import('../pyodide-snapshot/load/types.js').Task} Task
 *
 * From the page:
 *
 * @typedef {{type: 'boot'} & BootOrder} BootMessage - get ready
 * @typedef {{type: 'help', port: MessagePort} & Task} HelpMessage - bring another worker's files
 * @typedef {{type: 'go'} & Start} GoMessage - a worker that stands by: your turn
 * @typedef {{type: 'run', id: number, filename: string, source: string, scratch: boolean}} RunMessage
 *   `filename`: what tracebacks call the cell; `scratch`: in a copy of the namespace
 * @typedef {{type: 'reset', id: number}} ResetMessage - empty the namespace
 * @typedef {{type: 'inspect'} & Question} InspectMessage
 * @typedef {{type: 'cancel'}} CancelMessage - stop the cell that awaits
 * @typedef {{type: 'answer', text: string}} AnswerMessage - to `ask`
 * @typedef {BootMessage|HelpMessage|GoMessage|RunMessage|ResetMessage|InspectMessage|CancelMessage|
 *   AnswerMessage} PageMessage
 *
 * From the worker; one of `done` and `failed` ends each run and reset:
 *
 * @typedef {{type: 'hello'}} HelloMessage - it holds its lock from now on
 * @typedef {{type: 'loading'} & Progress} LoadingMessage
 * @typedef {{type: 'ready', versions: Record<string, string>, compiled?: Compiled, phases: Phase[],
 *   inflate: boolean}} ReadyMessage - `inflate`: this host compresses nothing
 * @typedef {{type: 'broken', file: string|null, message: string}} BrokenMessage
 *   Python can't be had by this recipe; `file`: the one that can't be had
 * @typedef {{type: 'output', id: number, stream: Stream, text: string}} OutputMessage
 * @typedef {{type: 'display', id: number, display: Display}} DisplayMessage
 * @typedef {{type: 'ask', id: number, prompt: string}} AskMessage - the cell calls `input`
 * @typedef {{type: 'awaits', id: number}} AwaitsMessage - the cell awaits: it can be cancelled
 * @typedef {{type: 'done', outcome: Done} & Ended} DoneMessage
 * @typedef {{type: 'failed', outcome: Failed} & Ended} FailedMessage
 * @typedef {{type: 'memory'} & Saved} MemoryMessage
 * @typedef {{type: 'unsaved'} & Unsaved} UnsavedMessage
 * @typedef {{type: 'inspected', answer: Completions|Description|null}} InspectedMessage
 * @typedef {HelloMessage|LoadingMessage|ReadyMessage|BrokenMessage|OutputMessage|DisplayMessage|
 *   AskMessage|AwaitsMessage|DoneMessage|FailedMessage|MemoryMessage|UnsavedMessage|
 *   InspectedMessage} WorkerMessage
 *
 * What they are made of:
 *
 * @typedef {[name: string, ms: number]} Phase - when it ended, since the worker began
 * @typedef {'stdout'|'stderr'|'notice'} Stream
 *
 * @typedef {object} Start - how a worker starts
 * @property {Recipe} recipe
 * @property {ArrayBuffer} [memory] - a live snapshot to start from
 * @property {string[]} [packages] - whose files the memory's Python had installed
 * @property {Files} [files] - that cells had written
 *
 * @typedef {object} OrderOnly
 * @property {string} lock - name of the Web Lock that tells the page that the worker is there
 * @property {boolean} [standby] - get ready, but for the memory, and wait for `go`
 * @property {MessagePort} [helper] - to a second worker, which brings the files
 * @property {SharedArrayBuffer} [interrupt]
 *
 * @typedef {Task & Start & OrderOnly} BootOrder
 *
 * @typedef {object} Display - what a cell draws; see python/displays.py
 * @property {'heads'|'lines'|'matrix'|'progress'} kind
 * @property {string|null} target - the place of the page that it is drawn in; null: the cell's own
 * @property {Record<string, unknown>} payload
 *
 * @typedef {object} Done
 * @property {'done'} status
 * @property {string|null} result
 * @property {Display[]} display
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
 * @property {Display[]} display
 * @property {string} [text] - as in Done
 *
 * @typedef {Done|Failed} Outcome
 *
 * @typedef {{names: string[], tasks: number}} About - what a namespace holds: variables, pending tasks
 * @typedef {About & {changed: boolean}} After - a cell; `changed`: it may have changed something
 *
 * @typedef {object} Ended
 * @property {number} id
 * @property {After|null} after - null: Python did not get so far as to know
 * @property {boolean} saving - a `memory` follows at once
 * @property {number} heap - bytes of Python's memory
 *
 * @typedef {{fd: number, path: string, flags: number, position: number}} OpenFile
 * @typedef {object} Files - what cells wrote to Python's file system, which lies outside its memory
 * @property {string} cwd
 * @property {string[]} folders
 * @property {[path: string, data: Uint8Array<ArrayBuffer>][]} data
 * @property {OpenFile[]} open
 * @property {string[]} left - files that can't be taken along: too large, or open and deleted
 *
 * @typedef {{memory: ArrayBuffer, packages: string[], files: Files}} Snapshot
 * @typedef {Snapshot & About} Saved - a live snapshot and what is in it
 * @typedef {{unsaved: 'size'|'objects'|'slow', detail: string}} Unsaved - why there is none
 *
 * @typedef {{what: 'complete', source: string, offset: number}} CompleteQuestion
 * @typedef {{what: 'describe', name: string}} DescribeQuestion
 * @typedef {CompleteQuestion|DescribeQuestion} Question
 * @typedef {{from: number, options: {label: string, type: string, detail: string}[]}} Completions
 * @typedef {{title: string, text: string}} Description
 */
/**
 * @template Q
 * @typedef {Q extends CompleteQuestion ? Completions : Description} AnswerTo
 */
export {};
