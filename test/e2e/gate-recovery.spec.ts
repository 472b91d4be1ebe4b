import { beforeAll, describe, expect, it } from '@jest/globals';
import { temporaryFolder } from '#lib/kernel/testing';
import type { RedialOptions } from '#lib/engine';
import type { StoredEvent } from '#lib/event-store';
import type { GateResult } from '#lib/decisions/gates';
import { startEngine, type TestEngine } from '../support/engine.js';
import { inMemory, type Place } from '../support/places/place.js';
import { placeWith } from '../support/places/place-with.js';
import { bothAtOnce, release } from '../support/releases.js';

const unjudged = { ...release, specialists: release.specialists.filter(({ role }) => role === 'proposer') };
const input = { gateId: 'release', metaJson: { commit: 'abc' } };

/** The log as a process that died after some event would have left it. */
describe.each([
  ['with an arbiter', release],
  ['without an arbiter', unjudged],
])('a gate %s whose call was cut off', (_what, gate) => {
  let whole: readonly StoredEvent[];
  let prefix: string;
  let created: object;
  let result: GateResult;
  let calls = 0;

  function counted(): NonNullable<RedialOptions['strategies']> {
    const strategies = Object.entries(bothAtOnce()).map(([name, strategy]) => {
      const counting = async () => {
        calls += 1;
        return (await strategy()) as { transitionName: string };
      };
      return [name, counting] as const;
    });
    return Object.fromEntries(strategies);
  }

  const create = ({ redial }: TestEngine) => redial.createGate(gate, { idempotencyKey: 'create' });
  const createdBy = async (engine: TestEngine) => {
    const { actorTokens: _given, ...made } = await create(engine);
    return made;
  };
  const invoke = ({ redial }: TestEngine) => redial.invokeGate(input, { idempotencyKey: 'invoke' });
  const start = (place: Place) =>
    startEngine([], { ...place, strategies: counted(), recoveryIntervalMs: 60_000 });

  beforeAll(async () => {
    const engine = await start(inMemory);
    created = await createdBy(engine);
    result = await invoke(engine);
    whole = await engine.log.store.readAll({ limit: 1000 });
    ({ prefix } = engine.log.streams);
    await engine.stop();
  });

  const placeOf = async (events: readonly StoredEvent[]) =>
    placeWith({ dataDir: temporaryFolder() }, events, prefix);
  const cutAfter = (type: string) => whole.slice(0, whole.findIndex((event) => event.type === type) + 1);
  const isOfSession = ({ stream }: StoredEvent) => stream.endsWith(result.sessionId);

  it.each(['MachineDefined', 'ProposerRegistered', 'GateCreated'])(
    'is created by a repeat after a cut behind %s',
    async (type) => {
      const engine = await start(await placeOf(cutAfter(type)));
      try {
        expect(await createdBy(engine)).toEqual(created);
        const types = async () => (await engine.log.store.readAll({ limit: 1000 })).map(({ type }) => type);
        expect(await types()).toEqual(cutAfter('GateCreated').map((event) => event.type));
      } finally {
        await engine.stop();
      }
    },
  );

  it.each([
    ['SessionCreated', 2],
    ['ProposalSolicited', 2],
    ['WorkflowStarted', 2],
    ['HumanInputRequested or TransitionExecuted', 0],
    ['the last proposal', 0],
  ])('is decided by a repeat after a cut behind %s, with %d calls', async (name, expected) => {
    const engine = await start(await placeOf(cutBehind(name)));
    try {
      calls = 0;
      const repeated = await invoke(engine);
      expect(calls).toBe(expected);
      expect(essence(repeated)).toEqual(essence(result));
      expect(await invoke(engine)).toEqual(repeated);
      expect(await engine.redial.replaySession({ sessionId: result.sessionId })).toMatchObject({
        identical: true,
      });
    } finally {
      await engine.stop();
    }
  });

  function cutBehind(name: string): readonly StoredEvent[] {
    if (name === 'HumanInputRequested or TransitionExecuted') return whole;
    if (name !== 'the last proposal') return cutAfter(name);
    return whole.slice(
      0,
      whole.findLastIndex((event) => isOfSession(event) && event.type === 'ProposalSubmitted') + 1,
    );
  }
});

/** The members that depend neither on time nor on the order of the specialists. */
function essence({
  sessionId,
  roundId,
  decision,
  needsHuman,
  isHuman,
  proposals,
  failures,
  costUSD,
}: GateResult) {
  const choices = proposals.map(({ proposalId, transitionName }) => `${proposalId} ${transitionName}`);
  return {
    sessionId,
    roundId,
    decision,
    needsHuman,
    isHuman,
    choices: choices.toSorted(),
    failures,
    costUSD,
  };
}
