import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { RedialOptions } from '#lib/engine';
import { startEngine, type TestEngine } from '../support/engine.js';

const PROPOSERS = ['one', 'two', 'three'] as const;
const PEOPLE = ['ann', 'bob'] as const;
const CHOICES = ['a', 'b', 'c'] as const;
const ROUNDS = 20;

type Choice = (typeof CHOICES)[number];

/** The answers of a round: of each proposer, `null` for none, and of the person if it comes to that. */
interface Answers {
  readonly proposers: readonly (Choice | null)[];
  readonly person: Choice;
}

/** Policies of the machine that a simulation changes. */
interface Settings {
  readonly consensusThreshold?: number;
  readonly quorum?: number;
  readonly trust?: { readonly minComparisons?: number; readonly minAlignment?: number };
  readonly arbiter?: string;
}

interface Plan {
  readonly answers: readonly Answers[];
  readonly recorded: Settings;
  readonly changed: Settings;
  readonly ask: 'in turn' | 'together';
  /** One spot check in so many rounds: in each, or in none. */
  readonly collapse: { readonly spotCheckEvery?: number } | null;
  readonly needsPerson: Partial<Record<Choice, true | { readonly if: string }>>;
  /** How many people decide each round. */
  readonly approvals: readonly number[];
}

/** No id of a round is a multiple of it. */
const NEVER = 1_000_003;

const settings: fc.Arbitrary<Settings> = fc.record(
  {
    consensusThreshold: fc.constantFrom(0, 0.1, 0.34, 0.5, 0.8, 1),
    quorum: fc.integer({ min: 1, max: 4 }),
    trust: fc.record(
      { minComparisons: fc.nat(4), minAlignment: fc.constantFrom(0, 0.2, 0.5) },
      { requiredKeys: [] },
    ),
    arbiter: fc.constantFrom('firstProposal', 'alignmentMargin'),
  },
  { requiredKeys: [] },
);
/** Mostly of one mind, so that alignment grows. */
const choice = fc.oneof({ weight: 5, arbitrary: fc.constant<Choice>('a') }, fc.constantFrom(...CHOICES));
const answers = fc.record({
  proposers: fc.array(fc.option(choice, { freq: 8 }), {
    minLength: PROPOSERS.length,
    maxLength: PROPOSERS.length,
  }),
  person: choice,
});
const plans: fc.Arbitrary<Plan> = fc.record({
  answers: fc.array(answers, { minLength: ROUNDS, maxLength: ROUNDS }),
  recorded: settings,
  changed: settings,
  ask: fc.constantFrom('in turn', 'together'),
  collapse: fc.constantFrom(null, {}, { spotCheckEvery: 1 }, { spotCheckEvery: NEVER }),
  needsPerson: fc.dictionary(
    fc.constantFrom(...CHOICES),
    fc.constantFrom(
      true as const,
      { if: 'session.currentState in ["s3", "s4", "s9"]' },
      { if: 'args.sum > 1' },
    ),
    { maxKeys: 1 },
  ),
  approvals: fc.array(fc.constantFrom(1, 1, 1, 2), { minLength: ROUNDS, maxLength: ROUNDS }),
});

function machineOf(plan: Plan, { arbiter = 'alignmentMargin', ...policies }: Settings) {
  const transition = (name: Choice, target: string) => {
    const needsPerson = plan.needsPerson[name];
    return needsPerson === undefined ? target : { target, needsPerson };
  };
  const next = (index: number) => (index + 1 < ROUNDS ? `s${index + 1}` : 'done');
  const states = Array.from({ length: ROUNDS }, (_, index) => [
    `s${index}`,
    {
      transitions: Object.fromEntries(CHOICES.map((name) => [name, transition(name, next(index))])),
      ...((plan.approvals[index] ?? 1) > 1 && { people: { approvals: plan.approvals[index] } }),
    },
  ]);
  return {
    machineName: 'chain',
    initialState: 's0',
    goalState: 'done',
    states: { ...Object.fromEntries(states), done: {} },
    specialists: [
      ...PROPOSERS.map((id) => ({ role: 'proposer', specialistId: id, strategyFnName: id })),
      ...PEOPLE.map((id) => ({ role: 'proposer', specialistId: id, isHuman: true, personId: id })),
      { role: 'arbiter', specialistId: 'judge', strategyFnName: arbiter },
    ],
    ask: plan.ask,
    ...(plan.collapse && { collapse: plan.collapse }),
    ...policies,
  };
}

function strategiesOf(plan: Plan): RedialOptions['strategies'] {
  const named = PROPOSERS.map((id, place) => [
    id,
    ({ history }: { readonly history: readonly unknown[] }) => {
      const transitionName = plan.answers[history.length]?.proposers[place];
      if (!transitionName) throw new Error('nothing to propose');
      return { transitionName, reasoning: id };
    },
  ]);
  return Object.fromEntries(named) as RedialOptions['strategies'];
}

/** A decided round: its transition, the arbiter who decided it or a person, and the proposers that were asked. */
interface Decided {
  readonly transitionName: string;
  readonly isHuman: boolean;
  readonly asked: readonly string[];
}

/** Drives a session to its goal; a person decides where the engine leaves a round to people. */
async function driven({ redial }: TestEngine, plan: Plan, under: Settings) {
  for (const personId of PEOPLE) await redial.registerPerson({ personId, role: 'reviewer' });
  await redial.defineMachine(machineOf(plan, under));
  const { sessionId } = await redial.createSession({ machineName: 'chain' });
  let session = await redial.runSession({ sessionId });
  while (session.status === 'needs_human') {
    const round = session.history.length;
    const transitionName = plan.answers[round]?.person ?? 'a';
    for (const personId of PEOPLE.slice(0, plan.approvals[round]))
      await redial.submitArbitration(
        { sessionId, specialistId: personId, transitionName },
        { actor: personId },
      );
    session = await redial.runSession({ sessionId });
  }
  const { items } = await redial.listSessionEvents({ sessionId, limit: 500 });
  const rounds: Decided[] = [];
  let asked: string[] = [];
  for (const { type, data } of items) {
    const said = data as { specialistId: string; transitionName: string; isHuman: boolean };
    if (type === 'ProposalSolicited') asked.push(said.specialistId);
    if (type !== 'TransitionExecuted') continue;
    rounds.push({ transitionName: said.transitionName, isHuman: said.isHuman, asked });
    asked = [];
  }
  return { sessionId, rounds };
}

function othersAsked(then: Decided | undefined, now: Decided | undefined): boolean {
  return now?.asked.some((id) => !then?.asked.includes(id)) ?? false;
}

function madeBy(round: Decided | undefined): string | undefined {
  return round?.isHuman ? 'people' : round?.transitionName;
}

async function checkPlan(plan: Plan): Promise<void> {
  const options = { strategies: strategiesOf(plan) };
  const [recording, live] = await Promise.all([startEngine([], options), startEngine([], options)]);
  try {
    const { rounds: recorded, sessionId } = await driven(recording, plan, plan.recorded);
    const head = await recording.log.store.head();
    const question = { machineName: 'chain' };
    const unchanged = await recording.redial.simulateMachine(question);
    expect(unchanged).toMatchObject({ rounds: ROUNDS, same: ROUNDS, nextCursor: null });
    const simulation = await recording.redial.simulateMachine({ ...question, ...plan.changed });
    expect(await recording.log.store.head()).toBe(head);
    const effective = { ...plan.recorded, ...plan.changed };
    const { rounds: decided } = await driven(live, plan, effective);
    for (const [index, item] of simulation.items.entries()) {
      const [then, now] = [recorded[index], decided[index]];
      expect(item).toMatchObject({ sessionId, state: `s${index}` });
      const isNotAsked = item.simulated.reason === 'not-asked';
      expect(isNotAsked ? othersAsked(then, now) : madeBy(now)).toBe(
        isNotAsked ? true : (item.simulated.transitionName ?? 'people'),
      );
      if (item.outcome !== 'same') break;
    }
  } finally {
    await Promise.all([recording.stop(), live.stop()]);
  }
}

it('each round of a session up to the first that differs is what a live run with the recorded proposals decides, and without a change all are the same', async () => {
  await fc.assert(fc.asyncProperty(plans, checkPlan), { numRuns: 6 });
}, 120_000);
