import { describe, expect, it } from '@jest/globals';
import { type Kill, Life } from './mortal/life.js';
import { options, type Part, prepare, runStory, sessionStory, SHARED_DUE_S } from './mortal/stories.js';
import { type Process, TAKEOVER_MS, World } from './mortal/world.js';

interface Played {
  /** The types of events of each stream. */
  readonly streams: readonly string[];
  /** False if the process made fewer appends. */
  readonly isKilled: boolean;
}

/** The story in a process that is killed at its n-th append, and from there on in another one. */
async function play(story: (world: World) => readonly Part[], killAt: number, when: Kill): Promise<Played> {
  const world = new World(options);
  try {
    const first = await world.start(new Life(when));
    await prepare(first);
    first.life.endAt(killAt);
    let process: Process = first;
    for (const [at, part] of story(world).entries()) {
      if (await done(world, part, at, process)) continue;
      process = await world.start();
      await world.pass(TAKEOVER_MS);
      await done(world, part, at, process);
    }
    await world.pass(SHARED_DUE_S * 1_000);
    await world.expectIdentical();
    return { streams: await streamsOf(world), isKilled: first.life.isOver };
  } finally {
    await world.stop();
  }
}

/** False if the process has ended. */
async function done(world: World, part: Part, at: number, process: Process): Promise<boolean> {
  if ('call' in part)
    await world.answerOf((redial) => part.call(redial, { idempotencyKey: `part ${at}` }), process);
  else await world.until(...part.until, process);
  return !process.life.isOver;
}

/** Sorted: events of two streams have no order between them. */
async function streamsOf(world: World): Promise<readonly string[]> {
  const streams = new Map<string, string[]>();
  for (const { stream, type, data } of await world.events()) {
    const { by, transitionName, reason } = data as Record<string, unknown>;
    const about = [type, by, transitionName, reason].filter((part) => typeof part === 'string').join(' ');
    streams.set(stream, [...(streams.get(stream) ?? []), about]);
  }
  return [...streams]
    .map(([stream, types]) => `${world.log.streams.parse(stream)?.category}: ${types.join(', ')}`)
    .toSorted();
}

const stories = { session: sessionStory, run: runStory };

describe.each(['session', 'run'] as const)('the waits of a %s', (name) => {
  it.each<Kill>(['before', 'after'])(
    'survive a kill %s any append: each claim, answer, reminder, escalation, expiry and move takes place once and in order',
    async (when) => {
      const whole = await play(stories[name], Infinity, when);
      let appends = 0;
      for (let isKilled = true; isKilled; appends++) {
        const played = await play(stories[name], appends + 1, when);
        expect([appends + 1, played.streams]).toEqual([appends + 1, whole.streams]);
        ({ isKilled } = played);
      }
      expect(appends).toBeGreaterThan(30);
    },
  );
});
