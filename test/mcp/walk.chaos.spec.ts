import { afterEach, describe, expect, it } from '@jest/globals';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import fc from 'fast-check';
import type { RecordedEvent } from '#lib/kernel';
import type { SessionEvent } from '#lib/decisions/session';
import type { Connection } from '../../apps/mcp/src/connection.js';
import { callsOfEngine } from '../../apps/mcp/src/tool-calls.js';
import { startEngine, type TestEngine } from '../support/engine.js';
import { lenders, loans } from '../support/loans.js';
import { callTool, connectOverStdio } from './mcp-client.js';
import { votes, walkStep, type WalkStep } from './walk.js';

const CALLS = 2_000;
const AT_ONCE = 3;
const SEED = 20_261_122;

/** Rounds that a person decided during the walk, so that alignment grows until models decide. */
type Decided = Set<string>;

describe('random walks over the tools of MCP', () => {
  let engine: TestEngine;

  afterEach(() => engine.stop());

  async function start(): Promise<string> {
    const silent = () => {
      throw new Error('nothing to say');
    };
    engine = await startEngine([], { strategies: { ...lenders, silent } });
    const { actorTokens } = await engine.redial.defineMachine(votes);
    await engine.redial.defineMachine(loans);
    for (const machineName of ['loans', 'votes']) await engine.redial.runSession({ machineName });
    return actorTokens?.['chair'] ?? '';
  }

  /** @returns the calls that succeeded, by tool */
  async function walk(client: Client, decided: Decided): Promise<ReadonlyMap<string, number>> {
    const { tools } = await client.listTools();
    const steps = fc.sample(walkStep(tools), { seed: SEED, numRuns: CALLS });
    const succeeded = new Map<string, number>();
    let sessions: readonly string[] = [];
    for (let from = 0; from < steps.length; from += AT_ONCE) {
      if (from % 90 === 0) {
        await decideOneAsPerson(decided);
        // Without new ones the walk would soon find none that are open.
        for (const machineName of ['loans', 'votes']) await engine.redial.createSession({ machineName });
        sessions = await sessionsToCallAbout();
      }
      const batch = steps.slice(from, from + AT_ONCE);
      await Promise.all(
        batch.map(async ({ tool, given, session }) => {
          const answer = await callTool(client, tool, placed(given, sessions[session % sessions.length]));
          expect(answer.text).not.toMatch(/"(actorToken|actorTokens|token)":/);
          if (!answer.isError) succeeded.set(tool, (succeeded.get(tool) ?? 0) + 1);
        }),
      );
    }
    return succeeded;
  }

  /** Few, so that several calls meet in one: sessions that wait for a person, and the newest ones. */
  async function sessionsToCallAbout(): Promise<readonly string[]> {
    const { items: waiting } = await engine.redial.listSessions({ status: 'needs_human', limit: 6 });
    const { items: newest } = await engine.redial.listSessions({ limit: 3 });
    return [...waiting, ...newest].map(({ sessionId }) => sessionId);
  }

  async function decideOneAsPerson(decided: Decided): Promise<void> {
    const { items } = await engine.redial.getInbox({ limit: 20 });
    const waiting = items.find((item) => item.kind === 'decision' && item.machineName === 'loans');
    if (waiting?.kind !== 'decision') return;
    const { sessionId, roundId } = waiting;
    decided.add(roundId);
    const choice = { sessionId, roundId, specialistId: 'boss', transitionName: 'approve' };
    await engine.redial.submitArbitration(choice).catch(() => undefined);
  }

  async function history(): Promise<readonly (readonly RecordedEvent<SessionEvent>[])[]> {
    const histories: RecordedEvent<SessionEvent>[][] = [];
    let cursor: string | null = null;
    do {
      const page = await engine.redial.listSessions({ limit: 500, ...(cursor !== null && { cursor }) });
      for (const { sessionId } of page.items) {
        const stream = engine.log.streams.of('session', sessionId);
        histories.push([...(await engine.log.readStream<SessionEvent>(stream))]);
      }
      cursor = page.nextCursor;
    } while (cursor !== null);
    return histories;
  }

  it.each<[string, Connection['profile'], boolean]>([
    ['observe', 'observe', false],
    ['propose', 'propose', false],
    ["propose, with a person's token", 'propose', true],
    ['operate', 'operate', false],
  ])(
    'X-T2: %s decides nothing as a person, and nothing that a person was waited for',
    async (_, profile, asChair) => {
      const actorToken = await start();
      const decided: Decided = new Set();
      const { client, close } = await connectOverStdio(callsOfEngine(engine.redial), {
        profile,
        groups: ['all'],
        ...(asChair && { actorToken }),
      });
      const succeeded = await walk(client, decided);
      await close();
      const decisions = (await history()).flatMap((events) => decisionsOf(events, decided));
      expect(decisions.filter(({ asPerson }) => asPerson)).toEqual([]);
      const ofWaiting = decisions.filter(({ waited }) => waited);
      expect(ofWaiting.length > 0).toBe(profile === 'operate');
      expect(ofWaiting.filter(({ byOperator }) => !byOperator)).toEqual([]);
      // The walk has come far enough for this to mean something.
      expect(succeeded.size).toBeGreaterThan({ observe: 12, propose: 17, operate: 25 }[profile]);
      expect(decisions.length).toBeGreaterThan({ observe: -1, propose: 0, operate: 0 }[profile]);
    },
  );
});

/** Members that were left out are absent; a session is one that there is. */
function placed(given: WalkStep['given'], sessionId: string | undefined): Record<string, unknown> {
  const members = Object.entries(given).filter(([, value]) => value !== undefined);
  return Object.fromEntries(members.map(([name, value]) => [name, name === 'sessionId' ? sessionId : value]));
}

interface Decision {
  readonly asPerson: boolean;
  readonly waited: boolean;
  readonly byOperator: boolean;
}

/** The decisions of a session, but for those that a person took beside the walk. */
function decisionsOf(events: readonly RecordedEvent<SessionEvent>[], decided: Decided): readonly Decision[] {
  const executed = events.flatMap((event) => (event.type === 'TransitionExecuted' ? [event.data] : []));
  const about = (type: SessionEvent['type'], roundId: string) =>
    events.some((event) => event.type === type && 'roundId' in event.data && event.data.roundId === roundId);
  return executed
    .filter(({ roundId }) => !decided.has(roundId))
    .map(({ roundId, isHuman, decidedBy }) => ({
      asPerson: isHuman || about('HumanOverrideAccepted', roundId),
      waited: about('HumanInputRequested', roundId),
      byOperator: decidedBy === 'operator',
    }));
}
