import { isDeepStrictEqual } from 'node:util';

/** @typedef {import('#lib/kernel').Json} Json */

const MOST_WRITES = 1_000;

/** The properties of a program's objects, with the values that it writes. */
export class WrittenProperties {
  /** @type {Map<string, { readonly name: string, readonly writable?: boolean, readonly schema?: object | boolean, value: Json }>} */
  #properties = new Map();
  #writes = 0;

  /**
   * @param {import('#lib/call-rules').WholeSlice['objects']} objects
   * @param {(object: string, property: string, value: unknown) => string} problemOf a value of a property; empty if it fits
   */
  constructor(objects, problemOf) {
    this.problemOf = problemOf;
    for (const { name, properties } of objects)
      for (const property of properties) this.#properties.set(`${name}.${property.name}`, { ...property });
  }

  /**
   * Writing an equal value changes nothing, even if the property is not writable.
   * @param {{ readonly object: string, readonly property: string, readonly value: Json }} written
   * @returns {{ readonly problem: string } | { readonly trace: import('#lib/call-rules').SandboxTrace } | undefined}
   */
  write({ object, property: name, value }) {
    const path = `${object}.${name}`;
    const property = this.#properties.get(path);
    if (!property) return { problem: `There is no property ${path}.` };
    const { value: before, writable, schema } = property;
    if (isDeepStrictEqual(before, value)) return undefined;
    if (writable !== true) return { problem: `Property ${path} is read-only.` };
    this.#writes += 1;
    if (this.#writes > MOST_WRITES)
      return { problem: `A program may write properties ${MOST_WRITES} times at most.` };
    const misfit = schema === undefined ? '' : this.problemOf(object, name, value);
    if (misfit !== '') return { problem: `Property ${path} does not take this value: ${misfit}` };
    property.value = value;
    return { trace: { type: 'property', object, property: name, before, after: value } };
  }
}
