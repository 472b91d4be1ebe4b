import type { RedialOptions } from '#lib/engine';
import type { Process } from './world.js';
import { askingFor } from '#lib/workflow/testing';

const asking = askingFor({ type: 'boolean' });

export const options: RedialOptions = { workflows: [asking] };

/** Longer than a takeover: a killed process does not change what comes first. */
export const times = {
  dueIn: 'PT200S',
  remindBefore: ['PT80S'],
  escalations: [{ in: 'PT260S', people: ['eve'] }],
  expireIn: 'PT320S',
};
export const people = { people: ['ann', 'bob'] };

const machine = {
  machineName: 'desk',
  initialState: 'asked',
  goalState: 'paid',
  states: {
    asked: {
      people: { ...people, ...times, onExpiry: { transition: 'late' } },
      transitions: { late: 'shared' },
    },
    shared: {
      people: { ...people, approvals: 2, dueIn: 'PT8H' },
      transitions: { agree: 'aging' },
    },
    aging: { after: [{ in: 'PT100S', transition: 'go' }], transitions: { go: 'last' } },
    last: { people, transitions: { pay: 'paid' } },
    paid: {},
  },
  specialists: ['ann', 'bob'].map((specialistId) => ({
    role: 'proposer' as const,
    specialistId,
    isHuman: true,
  })),
};

export async function prepare({ redial }: Pick<Process, 'redial'>): Promise<void> {
  for (const personId of ['ann', 'bob', 'eve'])
    await redial.registerPerson({ personId, role: personId === 'eve' ? 'operator' : 'reviewer' });
  await redial.defineMachine(machine);
}
