import { boot } from './load/boot.js';
import { withAbsoluteUrls } from './load/manifest.js';

const recipe = new URLSearchParams(location.search).get('recipe') ?? 'snapshot';
const answer = await fetch('runtime.json');
const runtime = withAbsoluteUrls(await answer.json());
const { pyodide, deferred } = await boot({ runtime, recipe });
postMessage(pyodide.runPython('import numpy as np; str(np.arange(6).reshape(2, 3).sum(axis=0))'));
await deferred?.bringAll();
postMessage(pyodide.runPython('np.sum.__doc__.strip().splitlines()[0]'));
