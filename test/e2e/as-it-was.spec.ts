import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Redial } from '#lib/engine';
import { startEngine, type TestEngine } from '../support/engine.js';
import { runScenarios } from '../replay/run-scenarios.js';
import { inMemory } from '../support/places/place.js';
import { Snapshots } from './as-it-was.js';
import { sessionCommands, Stage } from './random-families.js';

describe('a moment of a session', () => {
  let stage: Stage;
  let engine: TestEngine;

  beforeAll(async () => {
    stage = await Stage.start(inMemory);
    ({ engine } = stage);
  });
  afterAll(() => stage.stop());

  const at = async (sessionId: string, moment: string) => {
    const session = engine.redial.getSession({ sessionId, at: moment });
    return session.then(
      ({ revision }) => revision,
      (error: unknown) => (error as { rejection?: { rejected: string } }).rejection?.rejected ?? error,
    );
  };
  let sessionId: string;
  let events: readonly {
    readonly revision: number;
    readonly position: string;
    readonly occurredAt: string;
  }[];

  beforeAll(async () => {
    const { redial } = engine;
    ({ sessionId } = await redial.createSession({ machineName: 'turns' }));
    for (const command of ['function', 'turn'] as const)
      await sessionCommands[command](redial, { sessionId });
    const { items } = await redial.listSessionEvents({ sessionId, limit: 500 });
    events = items.filter(({ stream }) => stream.endsWith(sessionId));
  });

  it('is a revision, or the position of its event', async () => {
    for (const { revision, position } of events) {
      expect(await at(sessionId, String(revision))).toBe(revision);
      expect(await at(sessionId, `position:${position}`)).toBe(revision);
    }
  });

  it('is a time: before the first event that is later, and in the future now', async () => {
    for (const { occurredAt } of events) {
      const [later] = events.filter((event) => Date.parse(event.occurredAt) > Date.parse(occurredAt));
      const expected = (later?.revision ?? events.length) - 1;
      expect(await at(sessionId, occurredAt)).toBe(expected);
    }
    expect(await at(sessionId, '2999-01-01T00:00:00Z')).toBe(events.length - 1);
  });

  it('cuts every stream: no item of any list is later', async () => {
    const solicited = await engine.redial.listSessionEvents({ sessionId, at: '1', limit: 500 });
    expect(solicited.items.map(({ type }) => type)).toEqual(['SessionCreated', 'ProposalSolicited']);
    const { items } = await engine.redial.listProposals({ sessionId, at: '2' });
    expect(items.map(({ status }) => status)).toEqual(['open']);
  });

  it('beyond the end, or before the first event, is unknown', async () => {
    const [first] = await engine.log.store.readAll({ limit: 1 });
    for (const moment of [String(events.length), '2001-01-01', `position:${first?.position ?? ''}`])
      expect(await at(sessionId, moment)).toBe('unknown');
    const end = (await engine.log.store.head()) ?? '';
    const beyond = end.replace(/\d+$/, (digits) => String(Number(digits) + 1).padStart(digits.length, '0'));
    expect(await at(sessionId, `position:${beyond}`)).toBe('unknown');
    expect(await at('00000000-0000-4000-8000-000000000000', '0')).toBe('unknown');
  });

  it('that cannot be read is malformed', async () => {
    for (const moment of [
      '',
      '-1',
      '1.5',
      'yesterday',
      '2026-01-01T10:00',
      'position:',
      'position:x.1',
      '9'.repeat(16),
    ])
      expect(await at(sessionId, moment)).toBe('malformed');
  });
});

describe.each(runScenarios.map((scenario) => [scenario.name, scenario] as const))(
  'the %s of a golden history',
  (_, { script, functions, play }) => {
    it('is `at` a position what it was there', async () => {
      const engine = await startEngine(script, { functions });
      try {
        const snapshots = new Snapshots(engine);
        await play(watched(engine.redial, snapshots));
        expect(snapshots.count).toBeGreaterThan(0);
        await snapshots.check();
      } finally {
        await engine.stop();
      }
    });
  },
);

/** The facade, with a snapshot after each command about a run or a conversation. */
function watched(redial: Redial, snapshots: Snapshots): Redial {
  return new Proxy(redial, {
    get: (target, name, receiver) => {
      const method: unknown = Reflect.get(target, name, receiver);
      if (typeof method !== 'function') return method;
      return async (input: object, ...more: readonly unknown[]) => {
        const answer: unknown = await Reflect.apply(method, target, [input, ...more]);
        const about = { ...(answer as object), ...input } as { runId?: string; conversationId?: string };
        if (about.conversationId !== undefined)
          await snapshots.take({ conversationId: about.conversationId });
        else if (about.runId !== undefined) await snapshots.take({ runId: about.runId });
        return answer;
      };
    },
  });
}
