import { describe, expect, it } from '@jest/globals';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import fc from 'fast-check';
import type { Redial } from '#lib/engine';
import type { RecordedEvent } from '#lib/kernel';
import { callsOfEngine } from '../../apps/mcp/src/tool-calls.js';
import { callTool, connectOverStdio, type ConnectedClient } from '../mcp/mcp-client.js';
import { type Process, World } from './mortal/world.js';

/** A person decides in 3 of 10 walks, so 32 walks without one come about once in 100,000 runs. */
const MACHINES = Number(process.env['MACHINES'] ?? 32);
const STEPS = 40;

/** The groups of each person: `eve` is an operator, `vic` a viewer, the others are reviewers. */
const GROUPS: Readonly<Record<string, readonly string[]>> = {
  ann: ['buyers'],
  bob: ['buyers', 'heads'],
  cy: ['heads'],
  eve: [],
  vic: ['buyers'],
};
const ROLES: Readonly<Record<string, 'operator' | 'viewer'>> = { eve: 'operator', vic: 'viewer' };
const PEOPLE = Object.keys(GROUPS);
const HUMANS = ['ann', 'bob'];
const PROFILES = ['observe', 'propose', 'operate'] as const;

type Rule = true | { readonly if: string } | undefined;
interface Policy {
  readonly groups?: readonly string[] | undefined;
  readonly people?: readonly string[] | undefined;
  readonly exclude?: readonly string[] | undefined;
  readonly approvals?: number | undefined;
  readonly expireIn?: string | undefined;
}
interface Drawn {
  readonly policy: Policy | undefined;
  readonly on: Rule;
  readonly back: Rule;
  readonly ages: boolean;
  readonly threshold: number;
}

const some = (...names: string[]) => fc.option(fc.subarray(names, { minLength: 1 }), { nil: undefined });
const rule = fc.constantFrom<Rule>(
  true,
  true,
  { if: 'args.amount > 100' },
  { if: 'args.nothing' },
  undefined,
);
const policies = fc.record({
  groups: some('buyers', 'heads'),
  people: some('ann', 'eve', 'vic'),
  exclude: some('creator', 'proposers', 'cy'),
  approvals: fc.constantFrom(undefined, 1, 2),
  expireIn: fc.constantFrom(undefined, 'PT60S'),
});
const machines: fc.Arbitrary<Drawn> = fc.record({
  policy: fc.option(policies, { nil: undefined, freq: 4 }),
  on: rule,
  back: rule,
  ages: fc.boolean(),
  threshold: fc.constantFrom(0, 0.4),
});

const present = (members: object) =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));

function definition({ policy, on, back, ages, threshold }: Drawn, machineName: string) {
  const ofModel = { role: 'proposer' as const };
  return {
    machineName,
    initialState: 'a',
    goalState: 'goal',
    consensusThreshold: threshold,
    ...(policy && { people: present(policy) }),
    states: {
      a: {
        transitions: { on: { target: 'b', ...present({ needsPerson: on }) }, stay: 'a' },
        ...(ages && { after: [{ in: 'PT90S', transition: 'stay' }] }),
      },
      b: { transitions: { back: { target: 'a', ...present({ needsPerson: back }) }, out: 'goal' } },
      goal: {},
    },
    specialists: [
      { ...ofModel, specialistId: 'first', strategyFnName: 'firstAvailable' },
      { ...ofModel, specialistId: 'model', strategyFnName: 'amount' },
      ...HUMANS.map((specialistId) => ({ ...ofModel, specialistId, isHuman: true })),
      { role: 'arbiter' as const, specialistId: 'judge', strategyFnName: 'firstProposal' },
    ],
  };
}

type Door = (typeof PROFILES)[number] | `${'propose' | 'operate'} ${string}` | `code ${string}`;
interface Step {
  readonly door: Door;
  readonly tool: 'tick' | 'propose' | 'arbitrate' | 'execute' | 'answer' | 'wait';
  readonly transitionName: string;
  readonly amount: number | undefined;
  readonly specialistId: string | undefined;
}
const steps: fc.Arbitrary<Step> = fc.record({
  door: fc.constantFrom<Door>(
    ...PROFILES,
    'propose ann',
    'operate bob',
    'operate vic',
    'code operator',
    ...PEOPLE.map((person): Door => `code ${person}`),
    ...PEOPLE.map((person): Door => `code ${person}`),
  ),
  tool: fc.constantFrom(
    'tick',
    'tick',
    'propose',
    'arbitrate',
    'arbitrate',
    'execute',
    'answer',
    'answer',
    'wait',
  ),
  transitionName: fc.constantFrom('on', 'stay', 'back', 'out', 'on'),
  amount: fc.constantFrom(undefined, 5, 500),
  specialistId: fc.constantFrom(undefined, undefined, 'ann', 'bob', 'model'),
});

/** The tools of MCP; nobody answers a task there. */
const TOOLS = {
  tick: 'tick_session',
  propose: 'submit_proposal',
  arbitrate: 'submit_arbitration',
  execute: 'execute_transition',
};
const TARGETS: Readonly<Record<string, string>> = { on: 'b', stay: 'a', back: 'a', out: 'goal' };

/** One machine in a world of its own, and the doors to it. */
class Play {
  readonly #clients = new Map<string, ConnectedClient>();

  private constructor(
    private readonly world: World,
    private readonly process: Process,
    private readonly tokens: Readonly<Record<string, string>>,
    readonly sessionId: string,
  ) {}

  static async of(drawn: Drawn, creator: string): Promise<Play> {
    const amount = () => ({ transitionName: 'on', toState: 'b', reasoning: '', metaJson: { amount: 5 } });
    const world = new World({ strategies: { amount } });
    const process = await world.start();
    const tokens: Record<string, string> = {};
    for (const personId of PEOPLE) {
      const role = ROLES[personId] ?? ('reviewer' as const);
      const groups = [...(GROUPS[personId] ?? [])];
      tokens[personId] = (await process.redial.registerPerson({ personId, role, groups })).token ?? '';
    }
    await process.redial.defineMachine(definition(drawn, 'any'));
    const { sessionId } = await process.redial.createSession({ machineName: 'any' }, { actor: creator });
    return new Play(world, process, tokens, sessionId);
  }

  /** A refusal is as good as an answer: what is recorded is checked. */
  async take(step: Step): Promise<void> {
    if (step.tool === 'wait') return this.world.pass(45_000);
    const [door = '', who] = step.door.split(' ');
    const call = async (redial: Redial) => {
      await (door === 'code' ? this.#byCode(redial, step, who ?? '') : this.#byModel(step, door, who)).catch(
        (error: Error) => {
          if (!/Rejection|ProposerFailed|Unfinished/.test(error.name)) throw error;
        },
      );
    };
    await this.world.answerOf(call, this.process);
  }

  async #byCode(redial: Redial, step: Step, actor: string): Promise<unknown> {
    const { sessionId } = this;
    const as = { actor };
    const given = this.#given(step);
    if (step.tool === 'tick') return redial.tickSession({ sessionId }, as);
    if (step.tool === 'propose') return redial.submitProposal({ specialistId: 'model', ...given }, as);
    if (step.tool === 'arbitrate') return redial.submitArbitration(given, as);
    if (step.tool === 'execute')
      return redial.executeTransition({ ...given, toState: TARGETS[step.transitionName] ?? '' }, as);
    const { items } = await redial.listTasks({ sessionId });
    const { taskId = '', digest = '' } = items[0] ?? {};
    const { sessionId: _, specialistId: _as, ...choice } = given;
    return redial.answerTask({ taskId, digest, choice: 'transition', ...choice }, as);
  }

  async #byModel(step: Step, profile: string, who: string | undefined): Promise<unknown> {
    if (step.tool === 'answer' || step.tool === 'wait') return undefined;
    const given = step.tool === 'tick' ? { sessionId: this.sessionId } : this.#given(step);
    const toState = step.tool === 'execute' && { toState: TARGETS[step.transitionName] };
    return callTool(await this.#client(profile, who), TOOLS[step.tool], { ...given, ...toState });
  }

  #given({ transitionName, amount, specialistId }: Step) {
    const args = amount !== undefined && { metaJson: { amount } };
    return {
      sessionId: this.sessionId,
      transitionName,
      ...args,
      ...(specialistId !== undefined && { specialistId }),
    };
  }

  async #client(profile: string, who = ''): Promise<Client> {
    const name = `${profile} ${who}`;
    const actorToken = this.tokens[who];
    const connected =
      this.#clients.get(name) ??
      (await connectOverStdio(callsOfEngine(this.process.redial), {
        profile: profile as (typeof PROFILES)[number],
        ...(actorToken !== undefined && { actorToken }),
      }));
    this.#clients.set(name, connected);
    return connected.client;
  }

  /** The events of the session, once all that ran has ended; every history replays identical. */
  async end(): Promise<readonly RecordedEvent[]> {
    for (const { close } of this.#clients.values()) await close();
    await this.world.settled();
    await this.world.expectIdentical();
    const events = await this.world.events();
    await this.world.stop();
    return events.filter(({ stream }) => stream.endsWith(`_session-${this.sessionId}`));
  }
}

type Data = Readonly<Record<string, unknown>> & { readonly roundId: string; readonly by?: string };

/** A second implementation of the rule: an absent amount is an error, and an error needs a person. */
function needsOne({ on, back }: Drawn, { transitionName, metaJson }: Data): boolean {
  const given = { on, back }[String(transitionName)];
  if (given === undefined || given === true) return given === true;
  const amount = (metaJson as { amount?: number } | undefined)?.amount;
  return given.if === 'args.nothing' || amount === undefined || amount > 100;
}

function isCandidate({ policy }: Drawn, by: string): boolean {
  if (!policy?.groups && !policy?.people) return HUMANS.includes(by);
  return (
    policy.people?.includes(by) === true || (GROUPS[by] ?? []).some((group) => policy.groups?.includes(group))
  );
}

/** @returns how many transitions needed a person */
function check(drawn: Drawn, creator: string, events: readonly RecordedEvent[]): number {
  const of = (...types: string[]) =>
    events
      .filter(({ type }) => types.includes(type))
      .map((event) => ({ ...event, data: event.data as Data }));
  const executed = of('TransitionExecuted').map(({ data }) => data);
  expect(new Set(executed.map(({ roundId }) => roundId)).size).toBe(executed.length);
  const forPeople = executed.filter((data) => needsOne(drawn, data));
  for (const { isHuman, by = '' } of forPeople)
    expect([isHuman, isCandidate(drawn, by)]).toEqual([true, true]);
  const { exclude = [], approvals = 1 } = drawn.policy ?? {};
  for (const { data, revision } of of('ApprovalGiven', 'HumanOverrideAccepted')) {
    const { by = '', roundId } = data;
    const stated = of('ProposalSubmitted').some(
      (one) => one.revision < revision && one.data.roundId === roundId && one.data.by === by,
    );
    expect([exclude.includes(by), ROLES[by] === 'viewer']).toEqual([false, false]);
    expect(exclude.includes('creator') && by === creator).toBe(false);
    expect(exclude.includes('proposers') && stated).toBe(false);
  }
  for (const { roundId, isHuman } of executed) {
    const given = of('ApprovalGiven').filter(({ data }) => data.roundId === roundId);
    const people = new Set(given.map(({ data }) => data.by)).size;
    expect(isHuman === true && approvals > 1 ? people : 2).toBeGreaterThan(1);
  }
  return forPeople.length;
}

describe('random machines with people, models, arbiters and timers, over MCP in each profile and by each role', () => {
  it('execute no transition that needs a person but by a candidate, let nobody decide who is excluded, and decide a round once', async () => {
    let forPeople = 0;
    let decided = 0;
    const plays = fc.tuple(
      machines,
      fc.constantFrom('ann', 'eve'),
      fc.array(steps, { minLength: STEPS, maxLength: STEPS }),
    );
    await fc.assert(
      fc.asyncProperty(plays, async ([drawn, creator, taken]) => {
        const play = await Play.of(drawn, creator);
        for (const step of taken) await play.take(step);
        const events = await play.end();
        decided += events.filter(({ type }) => type === 'TransitionExecuted').length;
        forPeople += check(drawn, creator, events);
      }),
      { numRuns: MACHINES, endOnFailure: true },
    );
    // The walks have come far enough for this to mean something.
    expect(decided).toBeGreaterThan(MACHINES);
    expect(forPeople).toBeGreaterThan(0);
  });
});
