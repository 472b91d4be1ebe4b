const clerk = {
  role: 'proposer',
  specialistId: 'clerk',
  modelId: 'gpt-4o-mini',
  contextTemplate: 'Request: {{metaJson.text}}',
};
const lead = { role: 'proposer', specialistId: 'lead', isHuman: true };
const first = { role: 'proposer', specialistId: 'payout', strategyFnName: 'firstAvailable' };

/** A model decides, then a strategy; `escalate` leads to a state that is for a person. */
export const refunds = {
  machineName: 'refunds',
  initialState: 'triage',
  goalState: 'closed',
  specialists: [lead, { ...first, specialistId: 'retired', disabled: true }, clerk],
  states: {
    triage: {
      prompt: 'What should happen with this request?',
      transitions: {
        approve: {
          target: 'payout',
          description: 'Pay the money back',
          parameters: { type: 'object', properties: { amount: { type: 'number' } }, required: ['amount'] },
        },
        escalate: 'review',
      },
    },
    review: { specialists: [lead], transitions: { close: 'closed' } },
    payout: { specialists: [first], transitions: { pay: 'closed' } },
    closed: {},
  },
};

/** Strategies alone: it never is at rest. */
export const circle = {
  machineName: 'circle',
  initialState: 'left',
  goalState: 'out',
  specialists: [{ ...first, specialistId: 'walker' }],
  states: {
    left: { transitions: { go: 'right' } },
    right: { transitions: { back: 'left', leave: 'out' } },
    out: {},
  },
};

/** A strategy alone, one step. */
export const door = {
  machineName: 'door',
  initialState: 'closed',
  goalState: 'open',
  specialists: [{ ...first, specialistId: 'doorman' }],
  states: { closed: { transitions: { push: 'open' } }, open: {} },
};

/** Two strategies that never agree, and an arbiter that wants them to; then one of them alone. */
export const quarrel = {
  machineName: 'quarrel',
  initialState: 'left',
  goalState: 'done',
  specialists: [
    { ...first, specialistId: 'ann' },
    { ...first, specialistId: 'bob', strategyFnName: 'lastAvailable' },
    { role: 'arbiter', specialistId: 'judge', strategyFnName: 'alignmentMargin', threshold: 0.5 },
    lead,
  ],
  states: {
    left: { prompt: 'Where to?', transitions: { go: 'right', 'stay put': 'done' } },
    right: { transitions: { end: 'done' } },
    done: {},
  },
};
