import { expect, it } from '@jest/globals';
import { scenarios } from '../replay/scenarios.js';
import { startEngine } from '../support/engine.js';
import { describeOnEachEngine } from '../support/places/describe-on-engines.js';

const stories = scenarios.filter(({ name }) =>
  ['text-fallback', 'reask', 'http-error', 'whole-process'].includes(name),
);

describeOnEachEngine('a whole story', (emptyPlace) => {
  it.each(stories)('replays, and stands after a restart: $name', async ({ replies, options, play }) => {
    const place = await emptyPlace(true);
    const engine = await startEngine(replies, { ...options, ...place });
    const sessionId = await play(engine.redial);
    expect(await engine.redial.replaySession({ sessionId })).toMatchObject({ identical: true, open: 0 });
    const session = await engine.redial.getSession({ sessionId });
    expect(await engine.redial.getSessionAt({ sessionId, revision: session.revision })).toEqual(session);
    await engine.stop();

    const restarted = await startEngine([], { ...options, ...place });
    // An event written now comes after all earlier events.
    await restarted.redial.defineMachine({
      machineName: 'other',
      initialState: 'a',
      goalState: 'a',
      states: { a: {} },
    });
    expect(await restarted.redial.getSession({ sessionId })).toEqual(session);
    await restarted.stop();
  });
});
