import { expect, it } from '@jest/globals';
import type { StoredEvent } from '#lib/event-store';
import { changedStore } from '#lib/event-store/testing';
import { randomIds } from '#lib/kernel';
import { commandContext } from '#lib/operations/core';
import { plainWorkflow, RuntimeSetting } from '#lib/workflow/testing';
import { RecoveryDesk, runRecovery } from './recovery.js';

const stumbling = plainWorkflow(() => {
  throw new Error('the price of the order is missing');
});

it('a run that an operator gives up while it is tried again is set aside no longer once that is answered', async () => {
  const setting = new RuntimeSetting([stumbling], []);
  /** A read of the run that answers late, with the events from its beginning. */
  let late: { readonly begun: () => void; readonly answered: Promise<void> } | undefined;
  const store = changedStore(setting.memory, {
    readStream: async (...args): Promise<readonly StoredEvent[]> => {
      const events = await setting.memory.readStream(...args);
      const { begun, answered } = late ?? {};
      late = undefined;
      begun?.();
      await answered;
      return events;
    },
  });
  const runtime = setting.process({ store });
  const log = setting.logOf();
  const desk = new RecoveryDesk(log, [runRecovery(runtime, setting.commands, log, false, setting.time)]);
  await setting.begin(runtime, 'plain');
  await setting.time.pass(0);
  const [{ stream } = { stream: '' }] = await desk.list();

  let answer = () => {};
  const answered = new Promise<void>((resolve) => (answer = resolve));
  const hasBegun = new Promise<void>((begun) => (late = { begun, answered }));
  const retried = desk.retry(stream);
  await hasBegun;
  const given = desk.giveUp(stream, commandContext('give-up', {}, randomIds));
  await setting.time.pass(0);
  answer();
  expect(await given).toMatchObject({ stream, status: 'given-up' });
  expect(await desk.list()).toEqual([]);
  await retried;
  await runtime.stop(0);
});
