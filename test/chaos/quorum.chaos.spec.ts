import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import {
  completion,
  droppedConnection,
  httpError,
  type LlmScript,
  noAnswer,
  type ScriptedReply,
  text,
  toolCall,
} from '#lib/activities/testing';
import { temporaryFolder } from '#lib/kernel/testing';
import type { Redial, RedialOptions } from '#lib/engine';
import { RejectionError } from '#lib/operations';
import type { GateDefinition } from '#lib/decisions/gates';
import type { MachineInput } from '#lib/decisions/machines';
import { startEngine, type TestEngine } from '../support/engine.js';

const states = {
  asked: { transitions: { pay: { target: 'done', description: 'Pay' }, drop: 'done' } },
  done: {},
};
const boss = { role: 'proposer', specialistId: 'boss', isHuman: true };
const sound = { role: 'proposer', specialistId: 'sound', strategyFnName: 'firstAvailable' };
const arbiters = {
  first: ({ proposals }: { readonly proposals: readonly { readonly proposalId: string }[] }) => ({
    consensusReached: true,
    ...(proposals[0] && { winningProposalId: proposals[0].proposalId }),
  }),
};
const ARBITERS = ['firstProposal', 'alignmentMargin', 'aheadByK', 'first'];

const failing = (n: number) => ({
  role: 'proposer',
  specialistId: `failing-${n}`,
  contextTemplate: 'x',
  modelId: 'failing',
});
const gone = (n: number) => ({ role: 'proposer', specialistId: `failing-${n}`, strategyFnName: 'gone' });

interface Way {
  readonly way: string;
  readonly reply?: () => ScriptedReply;
  readonly options?: RedialOptions;
  readonly proposer?: (n: number) => object;
}

const refusal = () => completion({ role: 'assistant', content: null, refusal: 'I cannot help' }, 'stop');
const WAYS: readonly Way[] = [
  { way: 'an HTTP error', reply: () => httpError(503, 'down') },
  { way: 'a time-out', reply: noAnswer, options: { llm: { callTimeoutMs: 50 } } },
  { way: 'an unreadable reply', reply: () => text('neither JSON nor a tool') },
  { way: 'an invalid choice', reply: () => toolCall('vanish', {}) },
  { way: 'a refusal', reply: refusal },
  { way: 'a cut connection', reply: droppedConnection },
  { way: 'no key', options: { llm: { apiKey: '' } } },
  { way: 'a function that is not registered', proposer: gone },
];

/** Runs that this process refuses because it cannot ask somebody decide nothing either. */
async function unlessRefused(work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof RejectionError)) throw error;
    expect(error.rejection.code).toBe('configuration');
  }
}

/** Each decision without a person rests on as many proposals as are needed. @returns how many there are */
async function expectQuorum({ redial }: TestEngine, sessionId: string, needed: number): Promise<number> {
  const { items } = await redial.listSessionEvents({ sessionId });
  const session = items.filter(({ stream }) => stream.includes('session-'));
  const decided = session.filter(({ type }) => type === 'ConsensusReached');
  for (const { data } of decided) {
    const { proposals, quorum } = data as { readonly proposals: readonly object[]; readonly quorum: number };
    expect(proposals.length).toBeGreaterThanOrEqual(needed);
    expect(quorum).toBe(needed);
  }
  const overrides = session.filter(({ type }) => type === 'HumanOverrideAccepted');
  const executed = session.filter(({ type }) => type === 'TransitionExecuted');
  expect(executed).toHaveLength(decided.length + overrides.length);
  return decided.length;
}

describe('X-T1: for every failure of proposers', () => {
  it.each(WAYS)('$way: no decision without a quorum, by run, gate or tick', async (way) => {
    const { reply = () => toolCall('pay', {}), options = {}, proposer = failing } = way;
    const dataDir = temporaryFolder();
    const script: LlmScript = () => reply();
    const cases = ARBITERS.flatMap((arbiter) =>
      [1, 2].flatMap((failures) => [undefined, 3].map((quorum) => ({ arbiter, failures, quorum }))),
    ).map((one, n) => ({ ...one, name: `m${n}` }));
    const known = { dataDir, arbiters, strategies: { gone: () => ({ transitionName: 'pay' }) } };
    const before = await startEngine(script, known);
    for (const one of cases) await define(before.redial, one, proposer);
    await before.stop();
    const engine = await startEngine(script, { ...options, dataDir, arbiters });
    let decisions = 0;
    try {
      for (const one of cases) {
        const cold = await decisionsOf(engine, one);
        expect(one.failures === 2 || one.quorum === 3 ? cold : 0).toBe(0);
        await teach(engine.redial, one.name);
        const warm = await decisionsOf(engine, one);
        expect(one.failures === 2 || one.quorum === 3 ? warm : 0).toBe(0);
        decisions += warm;
      }
      // Two of three are a quorum: without these the test would show nothing.
      expect(decisions).toBeGreaterThan(0);
    } finally {
      await engine.stop();
    }
  });
});

interface Case {
  readonly name: string;
  readonly arbiter: string;
  readonly failures: number;
  readonly quorum: number | undefined;
}

async function define(
  redial: Redial,
  { name, arbiter, failures, quorum }: Case,
  proposer: (n: number) => object,
) {
  const specialists = [
    ...Array.from({ length: 3 }, (_, n) =>
      n < failures ? proposer(n) : { ...sound, specialistId: `sound-${n}` },
    ),
    boss,
    { role: 'arbiter', specialistId: 'judge', strategyFnName: arbiter },
  ];
  const rules = { specialists, consensusThreshold: 0.1, ...(quorum && { quorum }) };
  await redial.defineMachine({
    machineName: name,
    initialState: 'asked',
    goalState: 'done',
    states,
    ...rules,
  } as MachineInput);
  await redial.createGate({
    gateId: `gate-${name}`,
    choices: { pay: { description: 'Pay' } },
    ...rules,
  } as GateDefinition);
}

async function decisionsOf(engine: TestEngine, { name, quorum = 2 }: Case): Promise<number> {
  const { redial } = engine;
  const { sessionId } = await redial.createSession({ machineName: name });
  await unlessRefused(() => redial.runSession({ sessionId }));
  await unlessRefused(() => redial.tickSession({ sessionId }));
  const decisions = await expectQuorum(engine, sessionId, quorum);
  let ofGate = 0;
  await unlessRefused(async () => {
    const result = await redial.invokeGate({ gateId: `gate-${name}` });
    ofGate = await expectQuorum(engine, result.sessionId, quorum);
  });
  return decisions + ofGate;
}

/** A person decides a round in which the sound proposers take part: from here on they have alignment. */
async function teach(redial: Redial, machineName: string): Promise<void> {
  const { sessionId } = await redial.createSession({ machineName });
  await redial.submitProposal({ sessionId, specialistId: 'sound-2' });
  await redial.decide({ sessionId, specialistId: 'boss', transitionName: 'pay' });
}

const behaviour = fc.constantFrom('pay', 'drop', 'throw', 'vanish', 'nothing');
const round = fc.record({
  behaviours: fc.array(behaviour, { minLength: 1, maxLength: 4 }),
  arbiter: fc.constantFrom(...ARBITERS),
  quorum: fc.option(fc.integer({ min: 1, max: 5 }), { nil: undefined }),
  disabled: fc.option(fc.nat({ max: 3 }), { nil: undefined }),
  isGate: fc.boolean(),
});

it('X-T1: any round, of a machine or a gate, has as many proposals as its quorum where it is decided', async () => {
  const act = (what: string) => () => {
    if (what === 'throw') throw new Error('out');
    return { transitionName: what === 'nothing' ? '' : what };
  };
  const names = ['pay', 'drop', 'throw', 'vanish', 'nothing'];
  const strategies = Object.fromEntries(names.map((name) => [`do-${name}`, act(name)]));
  const engine = await startEngine([], { strategies, arbiters });
  const { redial } = engine;
  let count = 0;
  try {
    const property = fc.asyncProperty(round, async ({ behaviours, arbiter, quorum, disabled, isGate }) => {
      const name = `random-${count++}`;
      const specialists = [
        ...behaviours.map((what, n) => ({
          role: 'proposer',
          specialistId: `p${n}`,
          strategyFnName: `do-${what}`,
          ...(n === disabled && { disabled: true }),
        })),
        boss,
        { role: 'arbiter', specialistId: 'judge', strategyFnName: arbiter },
      ];
      const enabled = behaviours.filter((_, n) => n !== disabled).length;
      const rules = { specialists, consensusThreshold: 0, ...(quorum && { quorum }) };
      const needed = quorum ?? Math.min(2, enabled);
      const sessionId = await (isGate ? invoked(redial, name, rules) : run(redial, name, rules));
      await expectQuorum(engine, sessionId, needed);
      expect(await redial.replaySession({ sessionId })).toMatchObject({ identical: true });
    });
    await fc.assert(property, { numRuns: 80 });
  } finally {
    await engine.stop();
  }
});

async function run(redial: Redial, machineName: string, rules: object): Promise<string> {
  await redial.defineMachine({ machineName, initialState: 'asked', goalState: 'done', states, ...rules });
  return (await redial.runSession({ machineName })).sessionId;
}

async function invoked(redial: Redial, gateId: string, rules: object): Promise<string> {
  await redial.createGate({ gateId, choices: { pay: { description: 'Pay' }, drop: {} }, ...rules });
  return (await redial.invokeGate({ gateId })).sessionId;
}
