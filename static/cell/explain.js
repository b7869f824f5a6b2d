/**
 * Plain Spanish for the commonest errors: what happened and what to look at. Python's own words
 * stay beside it; what is not known here is left alone.
 *
 * @typedef {{name: string, message: string, traceback?: string}} Failure
 * @typedef {(found: RegExpMatchArray) => string} Say
 */

/** @type {[RegExp, RegExp, string|Say][]} - exception name, its message, what it means */
const RULES = [
  [/^(NameError|UnboundLocalError)$/, /name '(.+?)' is not defined.*Did you mean: '(.+?)'/s,
    ([, name, near]) => `No existe ninguna variable llamada «${name}». ¿Querías decir «${near}»?`],
  [/^UnboundLocalError$|^NameError$/, /variable '(.+?)'/,
    ([, name]) => `La función usa «${name}» antes de darle un valor dentro de ella.`],
  [/^NameError$/, /name '(.+?)' is not defined/,
    ([, name]) => `No existe ninguna variable llamada «${name}»: revisa cómo está escrita, o ejecuta antes la celda que la crea.`],
  [/^ValueError$/, /matmul: Input operand \d+ has a mismatch.*size (\d+) is different from (\d+)/s,
    ([, a, b]) => `En A @ B, el número de columnas de A tiene que ser el de filas de B, y aquí son ${b} y ${a}. Mira las dos formas con .shape; quizá falta trasponer una.`],
  [/^ValueError$/, /shapes \((.+?)\) and \((.+?)\) not aligned/,
    ([, a, b]) => `No se pueden multiplicar matrices de formas (${a}) y (${b}): la última dimensión de la primera tiene que coincidir con la penúltima de la segunda.`],
  [/^ValueError$/, /matmul: .*does not have enough dimensions/s,
    'El operador @ necesita vectores o matrices, y uno de los dos es un número suelto.'],
  [/^ValueError$/, /could not be broadcast together with (?:remapped )?shapes (.+)/,
    ([, shapes]) => `Estas formas no encajan elemento a elemento: ${shapes.trim()}. Comparadas desde la derecha, dos dimensiones encajan si son iguales o una es 1.`],
  [/^ValueError$/, /cannot reshape array of size (\d+) into shape (.+)/,
    ([, size, shape]) => `El array tiene ${size} elementos y no se pueden ordenar en la forma ${shape.trim()}: el producto de las dimensiones tiene que ser ${size}.`],
  [/^ValueError$/, /axes don't match array/,
    'La lista de ejes de transpose no tiene tantos números como dimensiones tiene el array.'],
  [/^(AxisError|ValueError)$/, /axis (-?\d+) is out of bounds for array of dimension (\d+)/,
    ([, axis, dims]) => `El array tiene ${dims} ejes, numerados desde 0, y se pide el ${axis}.`],
  [/^ValueError$/, /truth value of an array/,
    'Un array entero no es verdadero ni falso. Usa .all(), .any(), np.allclose(...) o compara sus formas.'],
  [/^ValueError$/, /inhomogeneous shape|setting an array element with a sequence/,
    'Las filas no tienen todas el mismo número de elementos, así que no forman un array.'],
  [/^ValueError$/, /too many values to unpack|not enough values to unpack/,
    'A la izquierda del = no hay tantos nombres como valores llegan por la derecha.'],
  [/^ValueError$/, /invalid literal for int\(\)|could not convert string to float/,
    'Ese texto no es un número que Python sepa leer. Los decimales se escriben con punto.'],
  [/^IndexError$/, /index (-?\d+) is out of bounds for axis (\d+) with size (\d+)/,
    ([, index, axis, size]) => `Se pide el índice ${index} en el eje ${axis}, que tiene ${size} elementos: valen de 0 a ${Number(size) - 1}.`],
  [/^IndexError$/, /too many indices for array: array is (\d+)-dimensional, but (\d+)/,
    ([, dims, used]) => `El array tiene ${dims} dimensiones y se han usado ${used} índices.`],
  [/^IndexError$/, /index out of range/, 'Se pide una posición que no existe: los índices van de 0 a len(...) − 1.'],
  [/^KeyError$/, /(.+)/, ([, key]) => `El diccionario no tiene la clave ${key}.`],
  [/^AttributeError$/, /'NoneType' object has no attribute '(.+?)'/,
    ([, name]) => `Se pide «.${name}» a None: lo de su izquierda no ha devuelto nada. ¿Falta un return?`],
  [/^AttributeError$/, /'ndarray'? ?object has no attribute '(.+?)'|'numpy\.ndarray' object has no attribute '(.+?)'/,
    ([, a, b]) => `Los arrays de NumPy no tienen «.${a ?? b}». Quizá es una función: np.${a ?? b}(...).`],
  [/^AttributeError$/, /has no attribute '(.+?)'.*Did you mean: '(.+?)'/s,
    ([, name, near]) => `No tiene nada llamado «${name}». ¿Querías decir «${near}»?`],
  [/^AttributeError$/, /has no attribute '(.+?)'/, ([, name]) => `No tiene nada llamado «${name}»: revisa cómo está escrito.`],
  [/^TypeError$/, /unsupported operand type\(s\) for (.+?): '(.+?)' and '(.+?)'/,
    ([, sign, a, b]) => `«${sign}» no sabe operar con ${a} y ${b}.${sign === '@' ? ' @ multiplica arrays: ¿son números sueltos?' : ''}`],
  [/^TypeError$/, /'(.+?)' object is not callable/, ([, type]) => `Detrás hay unos paréntesis de llamada, pero eso es ${type}, no una función. ¿Falta un operador, o has reutilizado el nombre?`],
  [/^TypeError$/, /'(.+?)' object is not subscriptable/, ([, type]) => `Un valor de tipo ${type} no se puede indexar con corchetes.`],
  [/^TypeError$/, /missing (\d+) required positional arguments?: (.+)/,
    ([, , names]) => `A la función le faltan argumentos: ${names.replace(' and ', ' y ')}.`],
  [/^TypeError$/, /takes (.+?) positional arguments? but (\d+) (?:was|were) given/,
    ([, , given]) => `La función ha recibido ${given} argumentos, más de los que admite.`],
  [/^TypeError$/, /unexpected keyword argument '(.+?)'/, ([, name]) => `La función no tiene ningún parámetro llamado «${name}».`],
  [/^TypeError$/, /only integer scalar arrays|slice indices must be integers|cannot be interpreted as an integer/,
    'Ahí hace falta un entero. Al dividir, usa // en lugar de /.'],
  [/^ZeroDivisionError$/, /./, 'Se divide entre cero.'],
  [/^RecursionError$/, /./, 'La función se llama a sí misma sin llegar nunca a terminar: le falta un caso que pare.'],
  [/^(MemoryError|ArrayMemoryError|_ArrayMemoryError)$/, /[^]*/,
    'No cabe en la memoria del navegador. Usa matrices más pequeñas o float32.'],
  [/^IndentationError$/, /expected an indented block/, 'Después de los dos puntos, la línea siguiente tiene que ir más adentro (cuatro espacios).'],
  [/^IndentationError$/, /unexpected indent/, 'Esta línea va más adentro que la anterior y no debería.'],
  [/^IndentationError$/, /unindent does not match/, 'Los espacios del principio no coinciden con los de ningún bloque abierto.'],
  [/^TabError$/, /./, 'Se mezclan tabuladores y espacios al principio de las líneas. Usa solo espacios.'],
  [/^SyntaxError$/, /'(.)' was never closed/, ([, sign]) => `Se abre «${sign}» y no se cierra.`],
  [/^SyntaxError$/, /unmatched '(.)'/, ([, sign]) => `Sobra «${sign}», o falta el que lo abre.`],
  [/^SyntaxError$/, /unterminated (?:f-|t-)?string literal/, 'Un texto se abre con comillas y no se cierra en la misma línea.'],
  [/^SyntaxError$/, /expected ':'/, 'Faltan los dos puntos al final de la línea.'],
  [/^SyntaxError$/, /Maybe you meant '==' or ':=' instead of '='/, 'Para comparar se escribe ==; un solo = asigna.'],
  [/^SyntaxError$/, /invalid decimal literal/, 'Un nombre no puede empezar por un número, ni llevar unidades pegadas.'],
  [/^SyntaxError$/, /'return' outside function/, 'Hay un return fuera de una función: ¿está bien sangrado?'],
  [/^SyntaxError$/, /invalid syntax.*forgot a comma/s, '¿Falta una coma entre dos elementos?'],
  [/^SyntaxError$/, /^invalid syntax$/, 'Python no entiende la línea. Mira también el final de la anterior: suele faltar un paréntesis.'],
  [/^ImportError$/, /cannot import name '(.+?)' from '(.+?)'/, ([, name, module]) => `El módulo «${module}» no tiene nada llamado «${name}».`],
  [/^AssertionError$/, /^$/, 'Una comprobación con assert ha salido falsa.'],
  [/^FileNotFoundError$/, /'(.+?)'/, ([, name]) => `No existe el archivo «${name}»: la página no ve los archivos de tu ordenador.`],
];

/**
 * @param {Failure} failure
 * @returns {string|null} a sentence or two, or null where Python's message has to do
 */
export function explain({ name, message, traceback = '' }) {
  const last = traceback.slice(traceback.lastIndexOf('\n') + 1); // Python's own suggestion is there
  for (const [names, pattern, say] of RULES) {
    if (!names.test(name)) continue;
    const found = message.match(pattern) ?? last.match(pattern);
    if (found) return typeof say === 'string' ? say : say(found);
  }
  return null;
}
