import type { MachineDefinition } from '#lib/decisions/machines';

/** Difficult names, circular ways, and one way out. */
export const maze: MachineDefinition = {
  machineName: 'maze',
  initialState: 'a',
  goalState: 'goal',
  states: Object.fromEntries([
    [
      'a',
      {
        transitions: Object.fromEntries([
          ['on', { target: '__proto__' }],
          ['constructor', { target: 'a' }],
        ]),
      },
    ],
    [
      '__proto__',
      {
        transitions: Object.fromEntries([
          ['__proto__', { target: 'a' }],
          ['out', { target: 'goal' }],
          ['on', { target: 'a' }],
        ]),
      },
    ],
    ['goal', { transitions: { on: { target: 'a' } } }],
  ]),
};
