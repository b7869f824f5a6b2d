/**
 * Compile the lesson's modules by Pyodide itself: no CPython 3.14 needed.
 *
 *   node compile.mjs PYODIDE < lesson.json > pyc.json
 *
 * PYODIDE is the folder of its npm package.
 */
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const chunks = [];
for await (const chunk of process.stdin) chunks.push(chunk);
const folder = process.argv[2];
const { loadPyodide } = await import(pathToFileURL(path.join(folder, 'pyodide.mjs')).href);
const env = { HOME: '/home/pyodide', PYTHONNODEBUGRANGES: '1' }; // as the library's own .pyc
const pyodide = await loadPyodide({ indexURL: folder, env });
pyodide.FS.mkdirTree('/in');
pyodide.FS.writeFile('/in/lesson.json', Buffer.concat(chunks));
const script = fs.readFileSync(path.join(import.meta.dirname, 'compile.py'), 'utf8');
pyodide.runPython(script, { filename: 'compile.py' });
process.stdout.write(pyodide.globals.get('result'), () => process.exit(0));
