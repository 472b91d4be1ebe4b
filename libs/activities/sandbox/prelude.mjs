/* oxlint-disable max-lines-per-function, typescript/no-unnecessary-type-conversion --
   It is evaluated whole inside the VM, where a program may have given any value any type. */

/** @typedef {{ resolve: (value: unknown) => void, reject: (error: Error) => void, error: Error }} Pending */

/**
 * Runs inside the VM, before the program: its functions of tools, its console, its variables, and the way back. The VM
 * evaluates its text, so it uses no names from outside itself. It takes the built-ins that it uses before the program can replace them.
 * @param {(kind: string, text: string) => string | undefined} host for a write of a property, gives the reason why it is refused, if it is
 * @param {string} given
 * @param {{ encode: (roots: object) => unknown, decode: (text: unknown) => object }} codec
 * @param {(components: Record<string, string>, shown: (value: unknown) => string) => void} elements
 */
export function prelude(host, given, codec, elements) {
  'use strict';
  const { encode, decode } = codec;
  const { parse, stringify } = JSON;
  const { tools, objects, seed, mostCalls, variables, components, sources } = parse(given);
  const { Error, Promise, Object, String } = globalThis;
  const { defineProperty, entries, freeze, getOwnPropertyNames, values } = Object;
  // Without a prototype, as all objects that are sent: a program may give `Object.prototype` a `toJSON`, or a setter of `0`.
  /** @type {Record<number, Pending>} */
  const pending = Object.create(null);
  let made = 0;
  const shownText = 2_000;

  // It reads the clock of the host.
  Reflect.deleteProperty(globalThis, 'performance');

  // sfc32, seeded with 128 bits.
  let [a, b, c, d] = seed;
  defineProperty(Math, 'random', {
    value: () => {
      const t = (((a + b) | 0) + d) | 0;
      d = (d + 1) | 0;
      a = b ^ (b >>> 9);
      b = (c + (c << 3)) | 0;
      c = (c << 21) | (c >>> 11);
      c = (c + t) | 0;
      return (t >>> 0) / 4294967296;
    },
    writable: true,
    configurable: true,
  });

  /** @param {string} tool @param {unknown} input */
  const call = (tool, input) =>
    new Promise((resolve, reject) => {
      // Both may make other calls: in a `toJSON`, and in `Error.prepareStackTrace`. The call has its place after them.
      const text = input === undefined ? '{}' : (stringify(input) ?? 'null');
      // Made here, it has the line of the call.
      const error = new Error(`A program may call tools ${mostCalls} times at most.`);
      // No line of the program is on the stack: the engine adds the place where an error without a stack is thrown, the `yield`.
      if (tool === 'yield') delete error.stack;
      if (made >= mostCalls) reject(error);
      else {
        pending[made++] = { resolve, reject, error };
        host('call', `{"tool":${stringify(tool)},"input":${text}}`);
      }
    });
  /** @param {string} name @param {unknown} value */
  const expose = (name, value) => defineProperty(globalThis, name, { value, configurable: true });
  /** @param {string} path */
  const functionOf = (path) => async (/** @type {unknown} */ input) => call(path, input);

  /** A value in JSON, all of it read-only: a change within it would be lost. @param {unknown} value @returns {unknown} */
  const frozen = (value) => {
    if (typeof value !== 'object' || value === null) return value;
    const members = values(value);
    for (let at = 0; at < members.length; at++) frozen(members[at]);
    return freeze(value);
  };
  /** @param {string | undefined} why */
  const assignmentError = (why) =>
    defineProperty(new Error(why), 'name', { value: 'AssignmentError', configurable: true });
  /** @param {string} object @param {{ name: string, value: unknown }} property @returns {PropertyDescriptor} */
  const accessor = (object, { name, value }) => {
    let current = frozen(value);
    return {
      enumerable: true,
      get: () => current,
      set: (next) => {
        const text = stringify(next);
        if (text === undefined) throw assignmentError(`Property ${object}.${name} takes no ${typeof next}.`);
        const written = `{"object":"${object}","property":"${name}","value":${text}}`;
        const problem = host('write', written);
        if (problem !== '') throw assignmentError(problem);
        current = frozen(parse(text));
      },
    };
  };
  for (const { name, properties } of objects) {
    const namespace = {};
    for (const property of properties) defineProperty(namespace, property.name, accessor(name, property));
    for (const path of tools) {
      const [object, method] = path.split('.');
      if (object === name && method !== undefined)
        defineProperty(namespace, method, { value: functionOf(path), enumerable: true });
    }
    expose(name, freeze(namespace));
  }
  for (const path of tools) if (!path.includes('.')) expose(path, functionOf(path));

  /** @param {unknown} value @returns {string} */
  const shown = (value) => {
    const text = typeof value === 'string' ? value : (stringify(value) ?? String(value));
    return text.length > shownText ? `${text.slice(0, shownText)}…` : text;
  };
  /** @param {unknown} value @returns {string} */
  const safelyShown = (value) => {
    try {
      return shown(value);
    } catch {
      return '[not shown]';
    }
  };
  if (components) elements(components, shown);
  if (sources !== undefined) {
    let next = sources;
    const cite = (/** @type {unknown} */ source) => {
      const id = next++;
      host('trace', `{"type":"source","id":${id},"source":${stringify(source) ?? 'null'}}`);
      return `【${id}】`;
    };
    defineProperty(globalThis, 'cite', { value: cite, configurable: true });
  }
  /** @type {Record<string, (...values: unknown[]) => void>} */
  const console = {};
  for (const level of ['log', 'info', 'warn', 'error', 'debug'])
    console[level] = (/** @type {unknown[]} */ ...values) => {
      let text = '';
      for (let at = 0; at < values.length; at++) text += (at > 0 ? ' ' : '') + safelyShown(values[at]);
      host('trace', stringify({ __proto__: null, type: 'log', level, text }));
    };
  defineProperty(globalThis, 'console', { value: console, writable: true, configurable: true });

  /** @param {string} kind @param {unknown} reason */
  const ended = (kind, reason) => {
    try {
      host('end', kind === 'returned' ? returned(reason) : thrown(reason));
    } catch (error) {
      host('end', thrown(error));
    }
  };
  /** @param {unknown} value */
  const returned = (value) =>
    value === undefined ? '{"kind":"returned"}' : `{"kind":"returned","value":${stringify(value) ?? 'null'}}`;
  /** @param {unknown} reason */
  const thrown = (reason) => {
    const isError = reason instanceof Error;
    const name = isError ? String(reason.name) : 'Error';
    const message = isError ? String(reason.message) : safelyShown(reason);
    return stringify({
      __proto__: null,
      kind: 'threw',
      name,
      message,
      stack: isError ? String(reason.stack) : '',
    });
  };

  /** @type {[string, () => unknown][]} */
  let getters = [];
  const carried = decode(variables);

  return {
    carried,
    names: () => stringify(getOwnPropertyNames(carried)),
    /** @param {Record<string, () => unknown>} byName */
    scope: (byName) => {
      getters = [...getters, ...entries(byName)];
    },
    /** @param {() => AsyncGenerator<unknown, unknown, unknown>} main */
    start: (main) => {
      const running = main();
      /** @param {Promise<IteratorResult<unknown, unknown>>} turn @returns {Promise<void>} */
      const step = (turn) =>
        turn.then(
          ({ done, value }) => (done ? ended('returned', value) : yielded(value)),
          (/** @type {unknown} */ error) => ended('threw', error),
        );
      /** A message is sent as a call: the program goes on when it is recorded. @param {unknown} value @returns {Promise<void>} */
      const yielded = (value) => {
        const message = value === undefined ? null : value;
        if (components)
          return call('yield', message).then(
            () => step(running.next()),
            (/** @type {unknown} */ error) => step(running.throw(error)),
          );
        host('trace', stringify({ __proto__: null, type: 'yield', value: message }));
        return step(running.next());
      };
      step(running.next()).catch((/** @type {unknown} */ error) => ended('threw', error));
    },
    /** @param {number} index @param {string} kind @param {string} text @param {string} code */
    deliver: (index, kind, text, code) => {
      const { resolve, reject, error } = /** @type {Pending} */ (pending[index]);
      defineProperty(error, 'message', { value: text, writable: true, configurable: true });
      if (code !== '') defineProperty(error, 'code', { value: code, configurable: true });
      if (kind === 'error') reject(error);
      else resolve(text === '' ? undefined : parse(text));
    },
    variables: () => {
      /** @type {Record<string, unknown>} */
      const found = { ...carried };
      for (const [name, read] of getters) {
        try {
          found[name] = read();
        } catch {
          // The program did not come to its declaration.
        }
      }
      host('variables', stringify(encode(found)));
    },
  };
}
