import { expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { changedNames, toolNames } from './tool-names.rules.js';

it('sends names that providers take as they are, and says nothing of them', () => {
  const names = toolNames(['refund', 'ask_a-person2', 'constructor']);
  expect(names).toEqual({ refund: 'refund', 'ask_a-person2': 'ask_a-person2', constructor: 'constructor' });
  expect(changedNames(names)).toEqual({});
});

it('sends other names under one made of it and of its hash', () => {
  const names = toolNames(['pay back', 'später', 'x'.repeat(65)]);
  expect(changedNames(names).toolNames).toEqual({
    pay_back_de974479: 'pay back',
    sp_ter_bfaef50e: 'später',
    [`${'x'.repeat(55)}_9537c5fd`]: 'x'.repeat(65),
  });
});

it('X-D5: every name is sent as one that providers take, and comes back as itself', () => {
  const name = fc.oneof(
    fc.string({ unit: 'grapheme', minLength: 1 }),
    fc.constantFrom('a b', 'a_b', 'a.b', 'A b'),
  );
  fc.assert(
    fc.property(fc.uniqueArray(name, { maxLength: 20 }), (names) => {
      const first = toolNames(names);
      // The sent name of one tool may also be the registered name of another.
      const all = [...new Set([...names, ...Object.keys(first)])];
      const sent = toolNames(all);
      expect(new Set(Object.values(sent))).toEqual(new Set(all));
      for (const one of Object.keys(sent)) expect(one).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
    }),
  );
});
