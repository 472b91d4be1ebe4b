import { describe, expect, it } from '@jest/globals';
import { fieldsFor, fieldsOf, jsonField, problemsAt, read, textsOf } from './fields.js';

const schema = {
  type: 'object',
  properties: {
    amount: { type: 'number', maximum: 100 },
    note: { type: 'string', description: 'For the customer' },
    urgent: { type: 'boolean' },
    how: { enum: ['bank', 'cash', 3] },
    lines: { type: 'array' },
  },
  required: ['amount'],
};
const fields = fieldsOf(schema, 'Arguments');

describe('forms from schemas', () => {
  it('have a field for each member, of the kind that fits it, with its bounds as a hint', () => {
    expect(fields.map(({ name, kind, isNeeded, hint = '' }) => [name, kind, isNeeded, hint])).toEqual([
      ['amount', 'number', true, 'at most 100'],
      ['note', 'text', false, 'For the customer'],
      ['urgent', 'checkbox', false, ''],
      ['how', 'select', false, ''],
      ['lines', 'json', false, ''],
    ]);
  });

  it('give back the value that they were filled with', () => {
    const value = { amount: 40, note: 'a "quoted" text', urgent: true, how: 3, lines: [1, { a: 'b' }] };
    expect(read(fields, textsOf(fields, value))).toEqual({ value });
  });

  it('take members that are named as those that every object has', () => {
    const named = fieldsOf({ properties: { constructor: { type: 'string' } } }, 'Arguments');
    expect(textsOf(named, { note: 'other' })).toEqual({ constructor: '' });
    expect(read(named, textsOf(named, {}), {})).toEqual({ value: {} });
    expect(read(named, { constructor: 'Ferrari' }, {})).toEqual({ value: { constructor: 'Ferrari' } });
  });

  it('add no box that a value did not have and that is not ticked', () => {
    const begun = { amount: 40 };
    expect(read(fields, { ...textsOf(fields, begun), amount: '30' }, begun)).toEqual({
      value: { amount: 30 },
    });
    const ticked = { ...textsOf(fields, begun), urgent: 'true' };
    expect(read(fields, ticked, begun)).toEqual({ value: { amount: 40, urgent: true } });
    const cleared = { ...textsOf(fields, { urgent: true }), amount: '1', urgent: '' };
    expect(read(fields, cleared, { urgent: true })).toEqual({ value: { amount: 1, urgent: false } });
  });

  it('keep each member whose text is not edited as it is: null, and options with quotes', () => {
    const properties = {
      note: { type: ['string', 'null'] },
      limit: { type: ['number', 'null'] },
      how: { enum: ['say "a"', 'b'] },
      which: { enum: [{ id: 1 }, { id: 2 }] },
      amount: { type: 'number' },
    };
    const nullable = fieldsOf({ properties }, 'Arguments');
    const value = { note: null, limit: null, how: 'say "a"', which: { id: 2 }, amount: 1 };
    const texts = textsOf(nullable, value);
    expect(texts['how']).toBe('say "a"');
    expect(read(nullable, { ...texts, amount: '2' }, value)).toEqual({ value: { ...value, amount: 2 } });
    expect(read(nullable, { ...texts, which: '{"id":1}' }, value)).toEqual({
      value: { ...value, which: { id: 1 } },
    });
  });

  it('are one field for any JSON if the value has members that no schema declares', () => {
    expect(fieldsFor(fields, 'Arguments', { amount: 1 })).toBe(fields);
    expect(fieldsFor(fields, 'Arguments', undefined)).toBe(fields);
    expect(fieldsFor(fields, 'Arguments', { amount: 1, force: true })).toEqual([jsonField('Arguments')]);
  });

  it('leave out what is empty, and keep a checkbox', () => {
    expect(read(fields, { amount: '1' })).toEqual({ value: { amount: 1, urgent: false } });
  });

  it('name the field whose text is no value', () => {
    expect(read(fields, { amount: 'many', lines: '[' })).toEqual({
      problems: { amount: 'is no number', lines: 'is no JSON' },
    });
    expect(read(fields, {})).toEqual({ problems: { amount: 'is needed' } });
  });

  it('are one field for a value that is no object, and none for an object without declared members', () => {
    const [answer] = fieldsOf({ type: 'string' }, 'Answer');
    expect(answer).toMatchObject({ name: '', label: 'Answer', kind: 'text' });
    expect(read(answer ? [answer] : [], { '': 'yes' })).toEqual({ value: 'yes' });
    expect(fieldsOf({ type: 'object' }, 'Arguments')).toEqual([]);
    expect(read([jsonField('Arguments')], { '': '{"a":1}' })).toEqual({ value: { a: 1 } });
  });

  it('get the problems that a server found at their members', () => {
    const errors = [
      { path: '/metaJson/amount', message: 'must be <= 100' },
      { path: '/metaJson/lines/0/price', message: 'is needed' },
    ];
    expect(problemsAt(errors, '/metaJson')).toEqual({ amount: 'must be <= 100', lines: 'is needed' });
  });
});
