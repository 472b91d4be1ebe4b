import { describe, expect, it } from '@jest/globals';
import { viewSchema } from '../describe/schemas.js';
import { viewsReferredBy } from './fields.js';
import { amounts, is, view } from './view.js';

class Place extends view({ name: is.name }) {}

class Visit extends view(Place, {
  at: is.time.optional.about('When it began'),
  length: is.whole(1).orNull,
  kind: is.oneOf(['short', 'long']),
  next: is.listOf(Place),
  from: is.a(Place).orNull.about('Where it came from'),
  ...amounts({ costUSD: { about: 'In US dollars' } }, 'as far as it is known'),
}) {}

describe('a view', () => {
  it('has the schema that its members and those of its base declare', () => {
    const { properties, required } = viewSchema(Visit);
    expect(properties).toMatchObject({
      name: { type: 'string' },
      at: { type: 'string', format: 'date-time', description: 'When it began' },
      length: { type: ['integer', 'null'], minimum: 1 },
      kind: { enum: ['short', 'long'] },
      next: { type: 'array', items: { $ref: '#/components/schemas/Place' } },
      from: {
        anyOf: [{ $ref: '#/components/schemas/Place' }, { type: 'null' }],
        description: 'Where it came from',
      },
      costUSD: { type: 'number', description: 'In US dollars: as far as it is known' },
    });
    // A reference beside `anyOf` would refuse null.
    expect(properties['from']).not.toHaveProperty('$ref');
    expect(required.toSorted()).toEqual(['from', 'kind', 'length', 'name', 'next']);
    expect(viewsReferredBy(Visit)).toEqual([Place, Place]);
  });

  it('has the type that they declare: members that may be absent, null, and words alone', () => {
    const visit: Visit = { name: 'a', length: null, kind: 'long', next: [], from: null };
    expect(visit.at).toBeUndefined();
    // @ts-expect-error: no such word
    expect(visit.kind).not.toBe<Visit['kind']>('none');
  });
});
