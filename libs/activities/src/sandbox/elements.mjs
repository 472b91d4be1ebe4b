/* oxlint-disable max-lines-per-function -- one function is evaluated inside the VM */

/**
 * Runs inside the VM, before the program: `jsx`, `Fragment` and the components that it may yield. Its text is what is evaluated: it
 * uses nothing from outside itself.
 * @returns {(components: any, shown: (value: unknown) => string) => void}
 */
export function elements() {
  'use strict';
  const { Array, Error, Object, globalThis: vm } = globalThis;
  const { defineProperty, entries } = Object;
  const { isArray } = Array;

  /** Texts and elements in one list, a text beside a text joined to it. @param {any} flat @param {any} one @param {any} shown */
  const add = (flat, one, shown) => {
    if (isArray(one)) for (let at = 0; at < one.length; at++) add(flat, one[at], shown);
    else if (typeof one === 'object' && one !== null && 'component' in one) flat[flat.length] = one;
    else if (one !== undefined && one !== null && typeof one !== 'boolean') {
      const last = flat.length - 1;
      if (typeof flat[last] === 'string') flat[last] += shown(one);
      else flat[flat.length] = shown(one);
    }
  };
  /** Without white space at both ends, and without what holds the end of a line beside an element. @param {any} flat */
  const trimmed = (flat) => {
    /** @type {any} */
    const kept = [];
    for (let at = 0; at < flat.length; at++) {
      let text = flat[at];
      if (typeof text === 'string') {
        const begun = text.trimStart();
        if (at === 0 || text.slice(0, -begun.length || text.length).includes('\n')) text = begun;
        const ended = text.trimEnd();
        if (at === flat.length - 1 || text.slice(ended.length).includes('\n')) text = ended;
      }
      if (text !== '') kept[kept.length] = text;
    }
    return kept;
  };

  return (components, shown) => {
    const names = entries(components);
    for (let at = 0; at < names.length; at++) {
      const [name, component] = /** @type {any} */ (names[at]);
      const value = (/** @type {any} */ given) => {
        const { children, ...props } = given ?? {};
        /** @type {any} */
        const flat = [];
        add(flat, children, shown);
        return { component, props, children: trimmed(flat) };
      };
      defineProperty(vm, name, { value, configurable: true });
    }
    /** @param {any} type @param {any} given @param {any[]} children */
    const jsx = (type, given, ...children) => {
      if (typeof type !== 'function') throw new Error(`There is no component ${shown(type)}.`);
      return type({ ...given, ...(children.length > 0 && { children }) });
    };
    const fragment = (/** @type {any} */ { children }) => children;
    defineProperty(vm, 'jsx', { value: jsx, configurable: true });
    defineProperty(vm, 'Fragment', { value: fragment, configurable: true });
  };
}
