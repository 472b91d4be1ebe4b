import { describe, expect, it } from '@jest/globals';
import { compileParameters } from './compile-parameters.js';

describe('compileParameters', () => {
  it('compiles equal schemas once', () => {
    const schema = { type: 'object', required: ['why'] };
    expect(compileParameters({ ...schema })).toBe(compileParameters(schema));
    expect(compileParameters({ ...schema, required: ['how'] })).not.toBe(compileParameters(schema));
  });

  it('does not follow a schema that is changed afterwards', () => {
    const required = ['why'];
    const before = compileParameters({ required });
    required.push('how');
    expect(compileParameters({ required: ['why'] })).toBe(before);
    expect('validate' in before && before.validate({ why: 1 })).toBe(true);
  });

  it('lets go of the oldest once there are very many', () => {
    const unusable = (n: number) => ({ $schema: `https://example.org/${n}` });
    const first = compileParameters(unusable(0));
    for (let n = 1; n <= 1000; n++) compileParameters(unusable(n));
    const last = compileParameters(unusable(1000));
    expect(compileParameters(unusable(1000))).toBe(last);
    expect(compileParameters(unusable(0))).not.toBe(first);
    expect(compileParameters(unusable(0))).toEqual(first);
  });

  it('says that a schema cannot be used that has no JSON text', () => {
    const endless: Record<string, object> = {};
    endless['not'] = endless;
    expect(compileParameters(endless as never)).toHaveProperty('problems');
  });
});
