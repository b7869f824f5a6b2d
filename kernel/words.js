/** What the kernel says to the reader, in Spanish; the only place with such text. */

const NAMED = 12; // variables that a message lists

/** @param {string[]} names */
const list = (names) => {
  const shown = names.slice(0, NAMED).map((name) => `«${name}»`);
  const more = names.length - shown.length;
  return shown.join(', ') + (more > 0 ? ` y ${more} más` : '');
};

export const words = {
  stopped: 'Celda detenida.',
  stoppedQueued: 'No llegó a ejecutarse: se detuvo la cola.',
  kept: 'Las variables de las celdas anteriores siguen ahí; lo que cambió esta celda se ha deshecho.',
  interrupted: 'Las variables siguen ahí.',
  restored: 'Las variables de las celdas terminadas siguen ahí.',
  /**
   * @param {import('./page/safety.js').Loss} loss
   * @param {string} kept - what to say of the variables where none is lost
   */
  lost: ({ variables, cells, tasks, files }, kept) => {
    const parts = [];
    const since = cells.length > 0 && !tasks && !files.length; // cells whose work was not saved
    if (variables.length) {
      parts.push(`Python se ha reiniciado y se perdieron estas variables: ${list(variables)}.`);
    } else if (since) parts.push('Python se ha reiniciado y se perdió lo que hicieron las últimas celdas.');
    else parts.push(kept);
    if (tasks) {
      const what = tasks === 1 ? 'una tarea de asyncio' : `${tasks} tareas de asyncio`;
      parts.push(`Se canceló ${what} que no había terminado.`);
    }
    if (files.length) parts.push(`No se pudieron conservar estos archivos: ${list(files)}.`);
    const again = cells.map(({ filename }) => filename).join(', ');
    if (again) parts.push(`Para recuperarlo, vuelve a ejecutar: ${again}.`);
    return parts.join(' ');
  },
  crashed: 'Python se cerró de forma inesperada y se ha vuelto a iniciar.',
  memory: 'Python se quedó sin memoria y se ha vuelto a iniciar. Prueba con matrices más pequeñas.',
  unsaved: {
    size: 'La memoria de Python es ya tan grande que, si detienes una celda, sus variables se perderán.',
    objects:
      'Hay objetos de JavaScript en tus variables: si detienes una celda, lo creado desde ahora se perderá.',
    slow: 'Guardar la memoria de Python es lento en este equipo: se hará cuando no haya celdas en cola. Si detienes una antes, lo que hicieron las anteriores de la cola se perderá.',
  },
  /** @param {string} file */
  missing: (file) =>
    `No se pudo cargar Python: falta o llegó dañado el archivo «${file}». Revisa la conexión y reintenta.`,
  /** @param {string} file */
  deferred: (file) =>
    `Falta o llegó dañado el archivo «${file}», que esta celda necesita. Revisa la conexión y vuelve a ejecutarla.`,
  noWorker:
    'No se pudo iniciar Python: este sitio o este navegador no permite procesos en segundo plano (workers de módulo). El texto, las salidas guardadas y los mapas siguen disponibles.',
  noBoot: 'Python no pudo iniciarse en este navegador. Reintenta o prueba con otro navegador.',
};
