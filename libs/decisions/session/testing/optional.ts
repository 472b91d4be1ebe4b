import * as fc from 'fast-check';

/** The value, or `undefined` for a member that `present` then leaves out. */
export function optional<T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> {
  return fc.option(value, { nil: undefined });
}

type Present<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/** The object without undefined members. */
export function present<T extends object>(data: T): Present<T> {
  return Object.fromEntries(Object.entries(data).filter(([, value]) => value !== undefined)) as Present<T>;
}
