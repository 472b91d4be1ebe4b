import * as fc from 'fast-check';

/** The value, or `undefined` for a member that `present` of the kernel leaves out. */
export function optional<T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> {
  return fc.option(value, { nil: undefined });
}
