import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { temporaryFolder } from '#lib/kernel/testing';
import { toolCall } from '#lib/activities/testing';
import { startEngine, type TestEngine } from '../support/engine.js';
import { clerk, refunds } from '../support/refunds.js';
import { replayDamaged } from './replay-damaged.js';

const note = '"A long story." '.repeat(70_000);
const A_CHUNK = "(SELECT max(position) FROM events WHERE type = 'BlobChunk')";
const [REPLY, ARGUMENTS] = ['%/data/body%', '%/data/metaJson%'];

describe('a log file in which a large body is damaged', () => {
  const dataDir = temporaryFolder();
  let engine: TestEngine;

  beforeAll(async () => {
    engine = await startEngine([toolCall('approve', { note })], { dataDir });
    const { redial } = engine;
    await redial.defineMachine(refunds);
    await redial.registerProposer({ ...clerk });
    const { sessionId } = await redial.createSession({ machineName: 'refunds' });
    await redial.submitProposal({ sessionId, specialistId: 'clerk' });
  });

  afterAll(() => engine.stop());

  it('is one when bodies are apart, and replays while nothing is damaged', async () => {
    const same = 'UPDATE events SET type = type WHERE position = 1';
    expect(await replayDamaged(dataDir, same)).toMatchObject([{ identical: true, divergences: [] }]);
  });

  it.each([
    ['a chunk is gone', `DELETE FROM events WHERE position = ${A_CHUNK}`],
    [
      'a chunk says something else',
      `UPDATE events SET data = replace(data, 'long', 'wrong') WHERE position = ${A_CHUNK}`,
    ],
    ['a chunk is no JSON', `UPDATE events SET data = '' WHERE position = ${A_CHUNK}`],
  ])('diverges where %s', async (_, sql) => {
    const [report] = await replayDamaged(dataDir, sql);
    expect(report?.identical).toBe(false);
    expect(report?.divergences[0]).toMatchObject({
      stream: expect.stringMatching(/^redial_(session|solicitation)-/),
      recorded: expect.stringMatching(/^\[UndecodableEvent\] .* is missing or changed/),
    });
  });

  it.each([
    ['reply', 'LlmCallCompleted', REPLY],
    ['proposal', 'ProposalSubmitted', ARGUMENTS],
  ])('diverges where the reference to a %s points elsewhere', async (_, type, pointer) => {
    const sql = `UPDATE events SET metadata = replace(metadata, '"pointer":"/', '"pointer":"/x') WHERE type = '${type}' AND metadata LIKE '${pointer}'`;
    const [report] = await replayDamaged(dataDir, sql);
    expect(report?.divergences).toMatchObject([
      { type, recorded: expect.stringMatching(/^\[UndecodableEvent\] .* does not belong there/) },
    ]);
  });
});
