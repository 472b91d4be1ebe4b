/**
 * Checks of the values that a VM gives to its host. A program may have replaced every built-in that makes them, so each is checked
 * before the rules of a run see it.
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

/** @type {Readonly<Record<string, (value: any, tools: readonly string[]) => boolean>>} */
const shapes = {
  call: ({ tool, input }, tools) => tools.includes(tool) && input !== undefined,
  trace: ({ type }) => ['log', 'yield', 'source'].includes(type),
  write: ({ object, property, value }) => isText(object) && isText(property) && value !== undefined,
  end: ({ kind, name, message, stack }) =>
    kind === 'returned' || (kind === 'threw' && [name, message, stack].every(isText)),
  variables: isEncoded,
};

/**
 * Whether it is a call of one of the tools, a trace, a write of a property, an end, or variables, as its kind says.
 * @param {string} kind
 * @param {unknown} value
 * @param {readonly string[]} tools
 */
export function isTold(kind, value, tools) {
  return typeof value === 'object' && value !== null && shapes[kind]?.(value, tools) === true;
}

/** @param {any} variables */
function isEncoded({ names, table }) {
  if (!Array.isArray(table)) return false;
  const isPlace = (/** @type {any} */ one) => Number.isInteger(one) && one >= 0 && one < table.length;
  const isMember = (/** @type {any} */ one) => isPair(one, isText, isPlace);
  const arePlaces = (/** @type {any} */ list) => isListOf(list, isPlace);
  const areMembers = (/** @type {any} */ list) => isListOf(list, isMember);
  /** @type {Map<unknown, readonly ((value: any) => boolean)[]>} */
  const nodes = new Map([
    ['undefined', []],
    ['json', [(one) => typeof one !== 'object' || one === null]],
    ['number', [isText]],
    ['bigint', [isText]],
    ['date', [(one) => typeof one === 'number' || one === null]],
    ['regexp', [isText, isText]],
    ['error', [isText, isText]],
    ['map', [(list) => isListOf(list, (one) => isPair(one, isPlace, isPlace))]],
    ['set', [arePlaces]],
    ['typed', [isText, arePlaces]],
    ['array', [Number.isInteger, areMembers]],
    ['object', [areMembers]],
  ]);
  return areMembers(names) && table.every((node) => isNode(node, nodes));
}

/**
 * @param {any} node
 * @param {ReadonlyMap<unknown, readonly ((value: any) => boolean)[]>} nodes
 */
function isNode(node, nodes) {
  const parts = Array.isArray(node) ? nodes.get(node[0]) : undefined;
  return parts !== undefined && parts.every((isPart, index) => isPart(node[index + 1]));
}

/** @param {any} value @param {(one: any) => boolean} isOne */
function isListOf(value, isOne) {
  return Array.isArray(value) && value.every(isOne);
}

/** @param {any} value @param {(one: any) => boolean} isFirst @param {(one: any) => boolean} isSecond */
function isPair(value, isFirst, isSecond) {
  return Array.isArray(value) && isFirst(value[0]) && isSecond(value[1]);
}

/** @param {unknown} value */
function isText(value) {
  return typeof value === 'string';
}
