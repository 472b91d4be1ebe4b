import { describe, expect, it } from '@jest/globals';
import type { Redial } from '#lib/engine';
import { type Kill, Life } from './mortal/life.js';
import { options, prepare } from './mortal/desk.js';
import { World } from './mortal/world.js';

interface Made {
  readonly id: string;
}
type Make = (
  redial: Redial,
  idempotencyKey: string,
  tags?: { readonly [name: string]: string },
) => Promise<Made>;

const makers: Readonly<Record<'session' | 'run', Make>> = {
  session: async (redial, idempotencyKey, tags = {}) => {
    const input = { machineName: 'desk', key: 'case-1', tags };
    return { id: (await redial.createSession(input, { idempotencyKey })).sessionId };
  },
  run: async (redial, idempotencyKey, tags = {}) => {
    const input = { workflow: 'asking', input: { people: ['ann'] }, key: 'case-1', tags };
    return { id: (await redial.startRun(input, { idempotencyKey })).runId };
  },
};

const FIRST = { session: 'SessionCreated', run: 'WorkflowStarted' } as const;

describe.each(['session', 'run'] as const)('the key of a %s', (kind) => {
  const make = makers[kind];

  /** @returns false if the process made fewer appends */
  async function play(killAt: number, when: Kill, isOtherFirst: boolean): Promise<boolean> {
    const world = new World(options);
    try {
      const first = await world.start(new Life(when));
      await prepare(first);
      first.life.endAt(killAt);
      await world.answerOf((redial) => make(redial, 'one'), first);
      const isKilled = first.life.isOver;
      first.life.isOver = true;
      const second = await world.start();
      const order = isOtherFirst ? ['other', 'one'] : ['one', 'other'];
      const made: (Made | undefined)[] = [];
      for (const caller of [...order, ...order])
        made.push(await world.answerOf((redial) => make(redial, caller), second));
      expect(new Set(made.map((one) => one?.id)).size).toBe(1);
      const taken = world.answerOf((redial) => make(redial, 'third', { other: 'body' }), second);
      await expect(taken).rejects.toMatchObject({ rejection: { code: 'key-taken' } });
      const events = await world.events();
      expect(events.filter(({ type }) => type === 'KeyBound').length).toBeGreaterThan(0);
      const begun = events.filter(
        ({ type, stream }) => type === FIRST[kind] && stream.endsWith(made[0]?.id ?? ''),
      );
      expect(begun).toHaveLength(1);
      expect(events.filter(({ type }) => type === FIRST[kind])).toHaveLength(1);
      await world.expectIdentical();
      return isKilled;
    } finally {
      await world.stop();
    }
  }

  it.each<readonly [Kill, string, boolean]>([
    ['before', 'the same call', false],
    ['before', 'the call of another', true],
    ['after', 'the same call', false],
    ['after', 'the call of another', true],
  ])(
    'names one thing after a kill %s any append of the call that makes it, also between `KeyBound` and the start, where %s comes next',
    async (when, _, isOtherFirst) => {
      let appends = 0;
      while (await play(appends + 1, when, isOtherFirst)) appends++;
      expect(appends).toBeGreaterThan(kind === 'run' ? 1 : 0);
    },
  );
});
