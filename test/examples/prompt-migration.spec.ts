import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { temporaryFolder } from '#lib/kernel/testing';
import { cassette, createTestEngine, expectIdentical, scriptedModel } from 'redial-engine/testing';
import { record, triage, triageWithNewPrompt } from '../../examples/prompt-migration.js';
import { CommandLine } from '../cli/command-line.js';

const says = (transitionName: string) => ({
  json: { transitionName, toState: 'sorted', reasoning: '' },
});

it('a machine that is the same regresses with 0, one with a new prompt with 10: it asks otherwise', async () => {
  const folder = temporaryFolder();
  const { redial, close } = await createTestEngine({
    model: scriptedModel([says('order'), says('invoice')]),
  });
  await redial.defineMachine(triage);
  await record(redial, ['Where is my cup?', 'I paid twice.'], folder);
  await close();

  const cli = await CommandLine.open();
  const regress = (machine: object) => {
    const file = join(temporaryFolder(), 'triage.json');
    writeFileSync(file, JSON.stringify(machine));
    return cli.runBare('regress', folder, '--machine', file);
  };
  expect((await regress(triage)).exitCode).toBe(0);
  const { exitCode, out } = await regress(triageWithNewPrompt);
  expect(exitCode).toBe(10);
  expect(out).toContain('A mail about money is about an invoice.');
  await cli.close();
});

// #region cassette
it('a recorded history is the model of a test', async () => {
  const folder = temporaryFolder();
  const recording = await createTestEngine({ model: scriptedModel([says('order')]) });
  await recording.redial.defineMachine(triage);
  await record(recording.redial, ['Where is my cup?'], folder);
  await recording.close();

  const [file = ''] = readdirSync(folder);
  const providers = { default: cassette(join(folder, file), { mode: 'replay' }) };
  await using engine = await createTestEngine({ providers });
  const { redial } = engine;
  await redial.defineMachine(triage);
  const metaJson = { text: 'Where is my cup?' };
  const { sessionId } = await redial.createSession({ machineName: 'triage', metaJson });
  const { history } = await redial.runSession({ sessionId });
  expect(history).toMatchObject([{ transitionName: 'order' }]);
  expectIdentical(await redial.replaySession({ sessionId }));
});
// #endregion
