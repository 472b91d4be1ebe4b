import { expect, it } from '@jest/globals';
import { createTestEngine } from '../../libs/engine/public/testing.js';

/** Keeps the thread busy for a second, again and again, as a host under load does. */
function starve(): NodeJS.Timeout {
  return setInterval(() => {
    for (const end = Date.now() + 1_000; Date.now() < end;);
  }, 1);
}

it('a process whose rows are late decides nothing without the specialists that are registered', async () => {
  const { redial, close } = await createTestEngine();
  const starving = starve();
  try {
    await redial.defineMachine({
      machineName: 'desk',
      initialState: 'asked',
      goalState: 'done',
      specialists: [{ role: 'proposer', specialistId: 'ann', isHuman: true }],
      states: { asked: { prompt: 'Pay?', transitions: { pay: 'done', deny: 'done' } }, done: {} },
    });
    const { sessionId } = await redial.createSession({ machineName: 'desk' });
    const ran = await redial.runSession({ sessionId }).then(
      ({ status }) => status,
      ({ name }: Error) => name,
    );
    expect(['needs_human', 'ProjectionBehind']).toContain(ran);
    clearInterval(starving);
    expect(await redial.getSession({ sessionId })).toMatchObject({ currentState: 'asked' });
  } finally {
    clearInterval(starving);
    await close();
  }
});
