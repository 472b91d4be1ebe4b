import { expect, it } from '@jest/globals';
import { testWorkflow } from 'redial-engine/testing';
import { dunning } from '../../examples/dunning.workflow.js';

const start = () => {
  const letters: unknown[] = [];
  const mail = ({ letter }: { letter: string }) => letters.push(letter);
  return { letters, options: { input: { invoice: 'R-7' }, functions: { mail } } };
};

// #region test
it('an invoice that is paid after its first reminder is reminded once', async () => {
  const { letters, options } = start();
  const { result } = await testWorkflow(dunning, options, async ({ redial, clock, runId }) => {
    await clock.advance('P20D');
    await redial.signalRun({ runId, name: 'paid', payload: {} });
  });
  expect(result).toEqual({ invoice: 'R-7', ended: 'paid', after: 'reminder' });
  expect(letters).toEqual(['invoice', 'reminder']);
});
// #endregion

it('an invoice that is never paid is with a person after six weeks', async () => {
  const { letters, options } = start();
  const { result } = await testWorkflow(dunning, options, async ({ redial, clock, runId, idle }) => {
    await clock.advance('P42D');
    await idle();
    expect((await redial.listTasks({ runId })).items).toMatchObject([{ title: 'Write off R-7?' }]);
    await redial.signalRun({ runId, name: 'answer', payload: { writeOff: true } });
  });
  expect(result).toMatchObject({ ended: 'written off' });
  expect(letters).toHaveLength(3);
});
