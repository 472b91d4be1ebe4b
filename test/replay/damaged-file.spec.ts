import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { temporaryFolder } from '#lib/kernel/testing';
import { startEngine, type TestEngine } from '../support/engine.js';
import { replayDamaged } from './replay-damaged.js';
import { scenarios } from './scenarios.js';

const [scenario] = scenarios.filter(({ name }) => name === 'text-fallback');

describe('a damaged copy of a log file', () => {
  let engine: TestEngine;
  let dataDir: string;

  beforeEach(async () => {
    dataDir = temporaryFolder();
    engine = await startEngine(scenario?.replies ?? [], { dataDir });
    await scenario?.play(engine.redial);
  });

  afterEach(() => engine.stop());

  it('diverges at the derived event that was changed', async () => {
    const [report] = await replayDamaged(
      dataDir,
      "UPDATE events SET data = replace(data, 'not-json', 'not-a-decision') WHERE type = 'FallbackTaken' AND data LIKE '%not-json%'",
    );
    expect(report).toMatchObject({
      identical: false,
      divergences: [
        { type: 'FallbackTaken', pointer: '/data/reason', recorded: 'not-a-decision', replayed: 'not-json' },
      ],
    });
  });

  it('says of an event that the rules cannot use which one it is, what the rules say, and both causes', async () => {
    const [report] = await replayDamaged(
      dataDir,
      "UPDATE events SET data = '{}' WHERE type = 'SessionCreated'",
    );
    const said = report?.divergences.map(({ stream, replayed }) => [stream.split('-')[0], replayed]);
    const unusable = (event: string) =>
      expect.stringMatching(
        new RegExp(
          String.raw`^\[UnusableEvent\] ${event} at revision 0: the rules fail at it \(Cannot .+\): its data, or that of an event before it, may be damaged, or the rules were changed\. Compare it with a copy of the log from before, and the rules with those that wrote it\.$`,
        ),
      );
    expect(said).toEqual([
      ['redial_session', unusable('SessionCreated')],
      ['redial_solicitation', unusable('WorkflowStarted')],
    ]);
  });

  it('0.2-H1: diverges where the author of a decision was changed, or taken away', async () => {
    const { redial } = engine;
    const specialists = [{ role: 'proposer', specialistId: 'lead', isHuman: true }] as const;
    const states = { a: { transitions: { go: 'z' } }, z: {} };
    const machine = { machineName: 'decided', initialState: 'a', goalState: 'z', states, specialists };
    await redial.defineMachine(machine);
    const { sessionId } = await redial.createSession({ machineName: 'decided' });
    await redial.decide({ sessionId, specialistId: 'lead', transitionName: 'go' });
    for (const type of ['HumanOverrideAccepted', 'TransitionExecuted'])
      for (const change of [`'"by":"lead"', '"by":"ceo"'`, `',"by":"lead"', ''`]) {
        const where = `type = '${type}' AND data LIKE '%"by":"lead"%'`;
        const reports = await replayDamaged(
          dataDir,
          `UPDATE events SET data = replace(data, ${change}) WHERE ${where}`,
        );
        const found = reports.find((report) => report.sessionId === sessionId);
        expect([type, change, found?.identical]).toEqual([type, change, false]);
      }
  });

  it('diverges when an event is gone', async () => {
    const [report] = await replayDamaged(
      dataDir,
      "DELETE FROM events WHERE type = 'FallbackTaken' AND revision = 3",
    );
    expect(report?.divergences).toMatchObject([{ pointer: '/revision', recorded: 4, replayed: 3 }]);
  });

  it('diverges at an event whose id is wrong', async () => {
    const [report] = await replayDamaged(
      dataDir,
      "UPDATE events SET event_id = 'other' WHERE type = 'ProposalSubmitted'",
    );
    expect(report?.divergences).toMatchObject([
      { type: 'ProposalSubmitted', pointer: '/eventId', recorded: 'other' },
    ]);
  });
});
