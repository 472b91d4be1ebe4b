import { describe, expect, it } from '@jest/globals';
import { fold } from '#lib/kernel';
import { specify } from '#lib/kernel/testing';
import { type PersonCommand, personDecider } from './people.decider.js';
import type { PersonEvent } from './people.events.js';

const ann = { personId: 'ann', name: 'Ann', role: 'reviewer', tokenHash: 'h1' } as const;
const register = (change: object = {}): PersonCommand => ({
  type: 'RegisterPerson',
  data: { ...ann, ...change },
});
const replace: PersonCommand = { type: 'ReplacePersonToken', data: { personId: 'ann', tokenHash: 'h2' } };
const remove: PersonCommand = { type: 'DeletePerson', data: { personId: 'ann' } };

const registered: PersonEvent = { type: 'PersonRegistered', data: ann };
const replaced: PersonEvent = { type: 'PersonTokenReplaced', data: { personId: 'ann', tokenHash: 'h2' } };
const deleted: PersonEvent = { type: 'PersonDeleted', data: { personId: 'ann' } };

const { given } = specify(personDecider);

describe('a person (X-T9)', () => {
  it('is registered with the hash of a token', () => {
    given([]).when(register()).then([registered]);
  });

  it.each([
    { personId: 'redial' },
    { personId: 'redial', role: 'operator', unlessRegistered: true },
    { personId: 'operator' },
  ])('is not registered under the id of a caller who is no person: %j', (change) => {
    given([]).when(register(change)).thenRejected({ rejected: 'refused', code: 'reserved-person' });
  });

  it('keeps the token when the same body comes again', () => {
    given([registered])
      .when(register({ tokenHash: 'other' }))
      .thenNothing();
  });

  it.each([{ role: 'viewer' }, { name: 'Anna' }, { name: undefined }])(
    'is never changed by a registration with another body: %j',
    (change) => {
      given([registered])
        .when(register(change))
        .thenRejected({ rejected: 'conflict', code: 'person-exists' });
    },
  );

  it('is left as they are when a specialist names nobody and has their id', () => {
    const ensure = register({ role: 'viewer', unlessRegistered: true });
    given([registered]).when(ensure).thenNothing();
    given([])
      .when(ensure)
      .then([{ type: 'PersonRegistered', data: { ...ann, role: 'viewer' } }]);
  });

  it('has one token at a time', () => {
    given([registered]).when(replace).then([replaced]);
    expect(fold(personDecider, [registered, replaced])).toMatchObject({ tokenHash: 'h2', role: 'reviewer' });
  });

  it('is deleted, and may be registered again', () => {
    given([registered]).when(remove).then([deleted]);
    given([registered, deleted]).when(register()).then([registered]);
  });

  it.each([replace, remove])('that is not registered is unknown to %j', (command) => {
    for (const history of [[], [registered, deleted]])
      given(history).when(command).thenRejected({ rejected: 'unknown', code: 'unknown-person' });
  });

  it('ignores an event of a type from the future', () => {
    const odd = { type: 'PersonPainted', data: {} } as object as PersonEvent;
    expect(personDecider.evolve(ann, odd)).toBe(ann);
  });

  it.each([register(), replace, remove])(
    'rebuilds a command from what its first event keeps: %j',
    (command) => {
      const events = personDecider.decide(command, ann) as readonly PersonEvent[];
      const kept: unknown = JSON.parse(JSON.stringify(personDecider.record(command, events)));
      expect(personDecider.rebuild(kept, events)).toEqual(command);
    },
  );
});
