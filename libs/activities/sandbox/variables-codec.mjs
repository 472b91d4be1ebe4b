/* oxlint-disable max-lines-per-function, typescript/no-unnecessary-type-conversion, typescript/unbound-method --
   It is evaluated whole inside the VM, where a program may have given any value any type. */

/**
 * Runs inside the VM, before the program: variables as JSON and back, exactly: dates, maps, sets, big integers, cycles. Functions
 * become a text. The VM evaluates its text, so it uses no names from outside itself, and takes built-ins before a program can replace them.
 */
export function variablesCodec() {
  'use strict';
  const { Map, Set, Date, RegExp, Error, BigInt, Promise, Object, Array, String, Number, ArrayBuffer } =
    globalThis;
  const { isArray } = Array;
  const { assign, defineProperty, entries, is } = Object;
  const TYPED = [
    'Uint8Array',
    'Int8Array',
    'Uint16Array',
    'Int16Array',
    'Uint32Array',
    'Int32Array',
    'Float32Array',
    'Float64Array',
  ];
  const typed = TYPED.map((name) => [name, /** @type {any} */ (globalThis)[name]]);
  const tagOf = Function.prototype.call.bind(Object.prototype.toString);

  /** Every value once, by its place in a table: so cycles and shared objects stay. @param {any} roots */
  function encode(roots) {
    /** @type {any[]} */
    const table = [];
    const places = new Map();
    const place = (/** @type {any} */ value) => {
      const known = places.get(value);
      if (known !== undefined && !is(value, -0)) return known;
      const index = table.length;
      table[index] = null;
      if (!is(value, -0)) places.set(value, index);
      table[index] = node(value);
      return index;
    };
    const placed = (/** @type {any} */ pairs) =>
      pairs.map((/** @type {any} */ [key, value]) => [place(key), place(value)]);
    const node = (/** @type {any} */ value) => {
      switch (typeof value) {
        case 'undefined':
          return ['undefined'];
        case 'bigint':
          return ['bigint', String(value)];
        case 'number':
          return is(value, -0) || value - value !== 0
            ? ['number', is(value, -0) ? '-0' : String(value)]
            : ['json', value];
        case 'function':
        case 'symbol':
          return [
            'json',
            `[${typeof value} ${String(typeof value === 'symbol' ? value.description : value.name)}]`,
          ];
        case 'object':
          return value === null ? ['json', null] : objectNode(value);
        default:
          return ['json', value];
      }
    };
    const objectNode = (/** @type {any} */ value) => {
      if (isArray(value))
        return ['array', value.length, entries(value).map(([key, one]) => [key, place(one)])];
      if (value instanceof Date) return ['date', +value];
      if (value instanceof RegExp) return ['regexp', value.source, value.flags];
      if (value instanceof Map) return ['map', placed([...value])];
      if (value instanceof Set) return ['set', [...value].map(place)];
      if (value instanceof Error) return ['error', String(value.name), String(value.message)];
      for (const [name, type] of typed)
        if (value instanceof type) return ['typed', name, [...value].map(place)];
      if (value instanceof Promise || value instanceof ArrayBuffer)
        return ['json', `[${tagOf(value).slice(8, -1)}]`];
      return ['object', entries(value).map(([key, one]) => [key, place(one)])];
    };
    return { names: entries(roots).map(([name, value]) => [name, place(value)]), table };
  }

  /** @param {any} text */
  function decode(text) {
    if (text === null) return {};
    const { names, table } = text;
    /** @type {any[]} */
    const values = [];
    const fills = [];
    for (const [kind, first, second] of table) {
      const index = values.length;
      values[index] = first;
      if (kind === 'undefined') values[index] = undefined;
      if (kind === 'number') values[index] = Number(first);
      if (kind === 'bigint') values[index] = BigInt(first);
      if (kind === 'date') values[index] = new Date(first);
      if (kind === 'regexp') values[index] = new RegExp(first, second);
      if (kind === 'map') values[index] = new Map();
      if (kind === 'set') values[index] = new Set();
      if (kind === 'array') values[index] = assign([], { length: first });
      if (kind === 'object') values[index] = {};
      if (kind === 'error') {
        values[index] = new Error(second);
        if (first !== 'Error')
          defineProperty(values[index], 'name', { value: first, writable: true, configurable: true });
      }
      fills[index] = { kind, first, second };
    }
    fills.forEach(({ kind, first, second }, index) => {
      const value = values[index];
      if (kind === 'map') for (const [key, one] of first) value.set(values[key], values[one]);
      if (kind === 'set') for (const one of first) value.add(values[one]);
      if (kind === 'array') for (const [key, one] of second) value[key] = values[one];
      if (kind === 'object')
        for (const [key, one] of first)
          defineProperty(value, key, {
            value: values[one],
            writable: true,
            enumerable: true,
            configurable: true,
          });
      if (kind === 'typed') {
        const [, type] = typed.find(([name]) => name === first) ?? [];
        values[index] = new type(second.map((/** @type {number} */ one) => values[one]));
      }
    });
    /** @type {any} */
    const found = {};
    for (const [name, one] of names) found[name] = values[one];
    return found;
  }

  return { encode, decode };
}
