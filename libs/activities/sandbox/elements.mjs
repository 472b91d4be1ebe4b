/* oxlint-disable max-lines-per-function -- one function is evaluated inside the VM */

/**
 * Runs inside the VM, before the program: `jsx`, `Fragment` and the components that it may yield. The VM evaluates
 * its text, so it uses no names from outside itself.
 * @returns {(components: Record<string, string>, shown: (value: unknown) => string) => void}
 */
export function elements() {
  'use strict';
  const { Array, Error, Object, globalThis: vm } = globalThis;
  const { defineProperty, entries } = Object;
  const { isArray } = Array;

  return (components, shown) => {
    /** Texts and elements in one list, a text beside a text joined to it. @param {unknown[]} flat @param {unknown} one */
    const add = (flat, one) => {
      if (isArray(one)) for (let at = 0; at < one.length; at++) add(flat, one[at]);
      else if (typeof one === 'object' && one !== null && 'component' in one) flat[flat.length] = one;
      else if (one !== undefined && one !== null && typeof one !== 'boolean') {
        const before = flat[flat.length - 1];
        if (typeof before === 'string') flat[flat.length - 1] = before + shown(one);
        else flat[flat.length] = shown(one);
      }
    };
    /** Without white space that is first, last, or holds the end of a line beside an element. @param {string} text @param {boolean} isFirst @param {boolean} isLast */
    const trimmed = (text, isFirst, isLast) => {
      const begun = text.trimStart();
      const rest = isFirst || text.slice(0, -begun.length || text.length).includes('\n') ? begun : text;
      const ended = rest.trimEnd();
      return isLast || rest.slice(ended.length).includes('\n') ? ended : rest;
    };
    /** @param {string} component @returns {(given?: { readonly children?: unknown } | null) => unknown} */
    const maker = (component) => (given) => {
      const { children: all, ...props } = given ?? {};
      /** @type {unknown[]} */
      const flat = [];
      add(flat, all);
      /** @type {unknown[]} */
      const children = [];
      for (let at = 0; at < flat.length; at++) {
        const one = flat[at];
        const child = typeof one === 'string' ? trimmed(one, at === 0, at === flat.length - 1) : one;
        if (child !== '') children[children.length] = child;
      }
      return { component, props, children };
    };
    for (const [name, component] of entries(components))
      defineProperty(vm, name, { value: maker(component), configurable: true });
    /** @param {unknown} type @param {object | null} given @param {unknown[]} children @returns {unknown} */
    const jsx = (type, given, ...children) => {
      if (typeof type !== 'function') throw new Error(`There is no component ${shown(type)}.`);
      return type({ ...given, ...(children.length > 0 && { children }) });
    };
    const fragment = (/** @type {{ readonly children?: unknown }} */ { children }) => children;
    defineProperty(vm, 'jsx', { value: jsx, configurable: true });
    defineProperty(vm, 'Fragment', { value: fragment, configurable: true });
  };
}
