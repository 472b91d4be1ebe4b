/**
 * Checks the messages of a VM to its host. A program may have replaced every built-in that makes them, so each message is checked before the rules of
 * a run see it.
 */

/**
 * Whether a value has more levels than this.
 * @param {unknown} value
 * @param {number} levels
 * @returns {boolean}
 */
export function isDeeper(value, levels) {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((one) => isDeeper(one, levels - 1));
}

/** @typedef {(value: unknown) => boolean} Check */

/** @type {Readonly<Record<string, (value: Readonly<Record<string, unknown>>, tools: readonly unknown[]) => boolean>>} */
const shapes = {
  call: ({ tool, input }, tools) => tools.includes(tool) && input !== undefined,
  trace: ({ type }) => type === 'log' || type === 'yield' || type === 'source',
  write: ({ object, property, value }) => isText(object) && isText(property) && value !== undefined,
  end: ({ kind, name, message, stack }) =>
    kind === 'returned' || (kind === 'threw' && [name, message, stack].every(isText)),
  variables: isEncoded,
};

/**
 * Whether a value is a valid message of its kind: a call of one of the tools, a trace, a write of a property, an end, or variables.
 * @param {string} kind
 * @param {unknown} value
 * @param {readonly string[]} tools
 */
export function isMessage(kind, value, tools) {
  return (
    typeof value === 'object' &&
    value !== null &&
    shapes[kind]?.(/** @type {Record<string, unknown>} */ (value), tools) === true
  );
}

/** @param {Readonly<Record<string, unknown>>} variables */
function isEncoded({ names, table }) {
  if (!Array.isArray(table)) return false;
  /** @type {Check} */
  const isPlace = (one) => isWhole(one) && Number(one) >= 0 && Number(one) < table.length;
  const arePlaces = listOf(isPlace);
  const areMembers = listOf(pairOf(isText, isPlace));
  /** @type {Map<unknown, readonly Check[]>} */
  const nodes = new Map([
    ['undefined', []],
    ['json', [(one) => typeof one !== 'object' || one === null]],
    ['number', [isText]],
    ['bigint', [isText]],
    ['date', [(one) => typeof one === 'number' || one === null]],
    ['regexp', [isText, isText]],
    ['error', [isText, isText]],
    ['map', [listOf(pairOf(isPlace, isPlace))]],
    ['set', [arePlaces]],
    ['typed', [isText, arePlaces]],
    ['array', [isWhole, areMembers]],
    ['object', [areMembers]],
  ]);
  /** @type {Check} */
  const isNode = (node) =>
    Array.isArray(node) && nodes.get(node[0])?.every((isPart, index) => isPart(node[index + 1])) === true;
  return areMembers(names) && table.every(isNode);
}

/** @param {Check} isOne @returns {Check} */
function listOf(isOne) {
  return (value) => Array.isArray(value) && value.every((one) => isOne(one));
}

/** @param {Check} isFirst @param {Check} isSecond @returns {Check} */
function pairOf(isFirst, isSecond) {
  return (value) => Array.isArray(value) && isFirst(value[0]) && isSecond(value[1]);
}

/** @type {Check} */
function isText(value) {
  return typeof value === 'string';
}

/** @type {Check} */
function isWhole(value) {
  return Number.isInteger(value);
}
