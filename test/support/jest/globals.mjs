import { ModuleMocker } from 'jest-mock';

/** `@jest/globals` for modules that Node loads: `describe`, `it` and the others of the file that runs. */
export const afterAll = current('afterAll');
export const afterEach = current('afterEach');
export const beforeAll = current('beforeAll');
export const beforeEach = current('beforeEach');
export const describe = current('describe');
export const expect = current('expect');
export const it = current('it');

const mocker = new ModuleMocker(globalThis);
export const jest = { fn: mocker.fn.bind(mocker), spyOn: mocker.spyOn.bind(mocker) };

/**
 * jest-circus sets its globals anew for each file; a module that several files import is evaluated once.
 * @param {string} name
 */
function current(name) {
  const global = () => Reflect.get(globalThis, name);
  return new Proxy(() => undefined, {
    apply: (_target, self, values) => Reflect.apply(global(), self, values),
    get: (_target, key) => Reflect.get(global(), key),
  });
}
