import { describe, expect, it } from '@jest/globals';
import { options, prepare } from './mortal/desk.js';
import { Life } from './mortal/life.js';
import { type Part, runStory, sessionStory } from './mortal/waits.js';
import { type Process, TAKEOVER_MS, World } from './mortal/world.js';

interface Played {
  /** The types of events of each stream. */
  readonly streams: readonly string[];
  readonly kills: number;
}

/** More than a story has appends. */
const MOST_KILLS = 100;

/**
 * The story in processes that follow each other, of which each one ends after its first append: so one ends after every append of the story,
 * which is before the next one, too.
 * @param isKilled false: in one process, which does not end
 */
async function play(story: (world: World) => readonly Part[], isKilled: boolean): Promise<Played> {
  const world = new World(options);
  const begun = async (): Promise<Process> => {
    const process = await world.start(new Life('after'));
    if (isKilled) process.life.endAt(1);
    return process;
  };
  try {
    const first = await world.start();
    await prepare(first);
    first.life.isOver = true;
    let process = await begun();
    let kills = 0;
    for (const [at, part] of story(world).entries())
      while (!(await isDone(world, part, at, process))) {
        expect(++kills).toBeLessThan(MOST_KILLS);
        process = await begun();
        await world.pass(TAKEOVER_MS);
      }
    // Clocks of waits that have ended are cancelled by then, long before their next moments.
    await world.pass(TAKEOVER_MS);
    await world.expectIdentical();
    return { streams: await streamsOf(world), kills };
  } finally {
    await world.stop();
  }
}

/** False if the process has ended. */
async function isDone(world: World, part: Part, at: number, process: Process): Promise<boolean> {
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

describe.each([
  ['session', 30],
  ['run', 20],
] as const)('the waits of a %s', (name, leastKills) => {
  it('survive a kill after every append: each claim, answer, reminder, escalation, expiry and move takes place once and in order, and its clocks end', async () => {
    const whole = await play(stories[name], false);
    const killed = await play(stories[name], true);
    expect(killed.streams).toEqual(whole.streams);
    expect(killed.kills).toBeGreaterThan(leastKills);
  });
});
