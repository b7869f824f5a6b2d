/** What the kernel says to the reader, in Spanish; the only place with such text. */

/** @param {string[]} names */
const list = (names) => names.map((name) => `«${name}»`).join(', ');

export const words = {
  stopped: 'Celda detenida.',
  stoppedQueued: 'No llegó a ejecutarse: se detuvo la cola.',
  kept: 'Las variables de las celdas anteriores siguen ahí.',
  /** @param {string[]|null} names */
  lost: (names) =>
    names?.length
      ? `Python se ha reiniciado y se perdieron estas variables: ${list(names)}. Vuelve a ejecutar las celdas que las crean.`
      : 'Python se ha reiniciado y sus variables se perdieron. Vuelve a ejecutar las celdas que necesites.',
  crashed: 'Python se cerró de forma inesperada y se ha vuelto a iniciar.',
  memory: 'Python se quedó sin memoria y se ha vuelto a iniciar. Prueba con matrices más pequeñas.',
  /** @param {string} file */
  missing: (file) =>
    `No se pudo cargar Python: falta o llegó dañado el archivo «${file}». Revisa la conexión y reintenta.`,
  noWorker:
    'No se pudo iniciar Python: este sitio o este navegador no permite procesos en segundo plano (workers de módulo). El texto, las salidas guardadas y los mapas siguen disponibles.',
  noBoot: 'Python no pudo iniciarse en este navegador. Reintenta o prueba con otro navegador.',
};
