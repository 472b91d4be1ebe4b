import type { Tool } from '@modelcontextprotocol/sdk/types.js';
import fc from 'fast-check';
import { loans } from '../support/loans.js';

/** A call of a tool; `session` and `key` are drawn again from what there is when the call is made. */
export interface WalkStep {
  readonly tool: string;
  readonly given: Readonly<Record<string, unknown>>;
  /** Which of the sessions that exist by then is meant. */
  readonly session: number;
}

type Pools = Readonly<Record<string, fc.Arbitrary<unknown>>>;

/** Decides by the first proposal: in a round that waits for a person, one more proposal would decide it. */
export const votes = {
  machineName: 'votes',
  initialState: 'asked',
  goalState: 'closed',
  specialists: [
    { role: 'proposer', specialistId: 'silent', strategyFnName: 'silent' },
    { role: 'proposer', specialistId: 'mute', strategyFnName: 'silent' },
    { role: 'proposer', specialistId: 'chair', isHuman: true },
    { role: 'arbiter', specialistId: 'teller', strategyFnName: 'firstProposal' },
  ],
  states: {
    asked: { prompt: 'Yes?', transitions: { approve: 'second', reject: 'closed' } },
    second: { prompt: 'Sure?', transitions: { approve: 'closed', reject: 'asked' } },
    closed: {},
  },
};

const gate = {
  gateId: 'gate-1',
  prompt: 'Open?',
  choices: { approve: {}, reject: {} },
  specialists: [
    { role: 'proposer', specialistId: 'guard', strategyFnName: 'generous' },
    { role: 'proposer', specialistId: 'porter', isHuman: true },
    { role: 'arbiter', specialistId: 'bell', strategyFnName: 'firstProposal' },
  ],
};

const inline = { ...votes, machineName: 'votes' };

/** Values that mean something, by the name of the member; what is left out here gets a value of its schema's type. */
const pools: Pools = {
  machineName: fc.constantFrom('loans', 'votes', 'votes', 'nothing'),
  specialistId: fc.constantFrom('silent', 'mute', 'chair', 'generous', 'prudent', 'boss', 'judge', 'ann'),
  transitionName: fc.constantFrom('approve', 'reject', 'approve', 'elope'),
  toState: fc.constantFrom('closed', 'second', 'asked'),
  strategyFnName: fc.constantFrom('generous', 'prudent', 'silent', 'firstProposal', 'alignmentMargin'),
  metaJson: fc.constantFrom({ amount: 10 }, { amount: 1000 }, {}),
  machine: fc.constantFrom(loans, votes, inline, { ...votes, consensusThreshold: 0.1 }, {}),
  gate: fc.constantFrom(gate, { ...gate, prompt: 'Shut?' }, {}),
  gateId: fc.constantFrom('gate-1', 'gate-1', 'gate-2'),
  idempotencyKey: fc.constantFrom('k1', 'k2', 'k3'),
  maxTicks: fc.constantFrom(1, 2, 5),
  revision: fc.nat(5),
  machineVersion: fc.constant(1),
  version: fc.constant(1),
};

/** Left out most of the time: what is random there is refused before anything happens. */
const RARE = new Set([
  'roundId',
  'cursor',
  'idempotencyKey',
  'machineVersion',
  'machine',
  'rule',
  'webhookTokenName',
]);

interface Schema {
  readonly type?: string;
  readonly enum?: readonly unknown[];
}

/** Called more often than the others: what can decide a round. */
const DECIDING = /^(execute_transition|submit_(arbitration|proposal)|tick_session|run_session)$/;

/** A call of any tool: members as its schema names them, required ones always. */
export function walkStep(tools: readonly Tool[]): fc.Arbitrary<WalkStep> {
  const weighed = tools.flatMap((tool) => (DECIDING.test(tool.name) ? [tool, tool, tool] : [tool]));
  return fc.constantFrom(...weighed).chain(({ name, inputSchema }) => {
    const { properties = {}, required = [] } = inputSchema;
    const members = Object.entries(properties).map(([member, schema]): [string, fc.Arbitrary<unknown>] => {
      const value = pools[member] ?? valueOf(schema);
      return [
        member,
        required.includes(member)
          ? value
          : fc.option(value, { nil: undefined, freq: RARE.has(member) ? 1 : 3 }),
      ];
    });
    return fc.record({
      tool: fc.constant(name),
      given: fc.record(Object.fromEntries(members)),
      session: fc.nat(1_000_000),
    });
  });
}

function valueOf({ type, enum: choices }: Schema): fc.Arbitrary<unknown> {
  if (choices) return fc.constantFrom(...choices);
  if (type === 'boolean') return fc.boolean();
  return type === 'integer' || type === 'number'
    ? fc.integer({ min: 1, max: 50 })
    : fc.constantFrom('x', 'because');
}
