/**
 * Name the JavaScript objects that Python may hold while its memory is saved, and find them again:
 * the worker's own globals and Pyodide's. Others (arrays, promises, …) have no name and no copy.
 *
 * @typedef {{place: 'global'|'pyodide'|'api', path: string[]}} Named
 */

const DEPTH = 2; // js.console.log is two steps from the global object

/**
 * Where objects may live.
 * @param {any} api - Pyodide's internal API
 * @returns {[Named['place'], any][]}
 */
const places = (api) => [
  ['global', globalThis],
  ['pyodide', api.public_api],
  ['api', api],
];

/**
 * @param {any} api
 * @returns {(object: any) => Named} throws for an object without a name
 */
export function namer(api) {
  /** @type {Map<any, Named>|undefined} */
  let names; // made when Python first holds such an object
  return (object) => {
    names ??= allNames(api);
    const named = names.get(object);
    if (!named) throw new Error(`a JavaScript object has no name: ${describe(object)}`);
    return named;
  };
}

/** @param {any} api */
function allNames(api) {
  /** @type {Map<any, Named>} */
  const names = new Map();
  /** @type {[Named, any][]} */
  let level = places(api).map(([place, holder]) => [{ place, path: [] }, holder]);
  for (let depth = 0; depth < DEPTH; depth++) {
    /** @type {typeof level} */
    const next = [];
    for (const [{ place, path }, holder] of level) {
      for (const key of Object.getOwnPropertyNames(holder)) {
        const object = valueOf(holder, key);
        if (!isObject(object) || names.has(object)) continue;
        const named = { place, path: [...path, key] };
        names.set(object, named);
        next.push([named, object]);
      }
    }
    level = next;
  }
  return names;
}

/**
 * @param {any} api
 * @returns {(named: Named) => any}
 */
export const finder =
  (api) =>
  ({ place, path }) => {
    const [, holder] = places(api).find(([name]) => name === place) ?? [];
    return path.reduce(valueOf, holder);
  };

/** @param {any} object */
const isObject = (object) =>
  object !== null && (typeof object === 'object' || typeof object === 'function');

/** @param {any} holder @param {string} key */
function valueOf(holder, key) {
  try {
    return holder[key];
  } catch {
    return undefined; // a getter that does not work here
  }
}

/** @param {any} object */
const describe = (object) => `${Object.prototype.toString.call(object)} ${object?.name ?? ''}`;
