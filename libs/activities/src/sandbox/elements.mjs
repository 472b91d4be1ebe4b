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

  return (components, shown) => {
    /** Texts beside each other are one; those between elements that are only ends of lines are none. @param {any} list */
    const childrenOf = (list) => {
      /** @type {any} */
      const flat = [];
      /** @param {any} one */
      const add = (one) => {
        if (isArray(one)) for (let at = 0; at < one.length; at++) add(one[at]);
        else if (typeof one === 'object' && one !== null && 'component' in one) push(one);
        else if (one !== undefined && one !== null && typeof one !== 'boolean') push(shown(one));
      };
      /** @param {any} one */
      const push = (one) => {
        const last = flat.length - 1;
        if (typeof one === 'string' && typeof flat[last] === 'string') flat[last] += one;
        else
          defineProperty(flat, flat.length, {
            value: one,
            writable: true,
            enumerable: true,
            configurable: true,
          });
      };
      add(list);
      /** @type {any} */
      const kept = [];
      for (let at = 0; at < flat.length; at++) {
        const one = flat[at];
        const text = typeof one === 'string' ? one.trim() : one;
        if (text === '' && (one.includes('\n') || flat.length === 1)) continue;
        const isEdge = at === 0 || at === flat.length - 1;
        kept[kept.length] = typeof one === 'string' && (isEdge || one.includes('\n')) ? text : one;
      }
      return kept;
    };
    /** @param {any} given @param {any} more */
    const made = (given, more) => {
      const { children, ...props } = given ?? {};
      return { props, children: childrenOf(more === undefined ? children : more) };
    };
    const names = entries(components);
    for (let at = 0; at < names.length; at++) {
      const [name, component] = /** @type {any} */ (names[at]);
      const value = (/** @type {any} */ given) => ({ component, ...made(given, undefined) });
      defineProperty(vm, name, { value, configurable: true });
    }
    const fragment = (/** @type {any} */ { children }) => children;
    /** @param {any} type @param {any} given @param {any[]} more */
    const jsx = (type, given, ...more) => {
      if (typeof type !== 'function') throw new Error(`There is no component ${shown(type)}.`);
      return type({ ...given, ...(more.length > 0 && { children: more }) });
    };
    defineProperty(vm, 'jsx', { value: jsx, configurable: true });
    defineProperty(vm, 'Fragment', { value: fragment, configurable: true });
  };
}
