import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { parsePosition } from '#lib/event-store';
import { type Engine, withEngine } from '../../apps/cli/src/engine/with-engine.js';
import { followTimeline, sessionTimeline } from '../../apps/cli/src/timeline/session-timeline.js';
import { CommandLine, TextSink } from './command-line.js';
import { door } from './machines.js';

const judged = {
  ...door,
  specialists: [
    ...door.specialists,
    { role: 'arbiter', specialistId: 'judge', strategyFnName: 'mine', disabled: false },
  ],
};

describe('the events of a session', () => {
  let cli: CommandLine;

  beforeEach(async () => {
    cli = await CommandLine.open();
  });

  afterEach(() => cli.close());

  /** In an engine with an arbiter of its own, which sees no consensus. */
  function inEngine<T>(work: (engine: Engine, sessionId: string) => Promise<T>): Promise<T> {
    const mine = () => ({ consensusReached: false, reasoning: 'not today' });
    return withEngine({ dataDir: cli.dataDir, arbiters: { mine } }, new TextSink(), async (engine) => {
      await engine.redial.defineMachine(judged);
      const { sessionId } = await engine.redial.createSession({ machineName: 'door' });
      return work(engine, sessionId);
    });
  }

  it('are printed as they are appended, with those of its solicitations and arbitrations, and equal those of the log', async () => {
    await inEngine(async ({ redial, log }, sessionId) => {
      const printed: string[] = [];
      const followed = followTimeline(log, sessionId, undefined, ({ eventId }) => printed.push(eventId));
      await redial.runSession({ sessionId });
      await followed.end();
      const events = await sessionTimeline(log, sessionId);
      expect(printed).toEqual(events.map(({ eventId }) => eventId));
      expect(events.map(({ type }) => type)).toEqual([
        'SessionCreated',
        'ProposalSolicited',
        'WorkflowStarted',
        'FunctionCallRequested',
        'FunctionCallCompleted',
        'WorkflowEnded',
        'ProposalSubmitted',
        'ArbitrationRequested',
        'WorkflowStarted',
        'FunctionCallRequested',
        'FunctionCallCompleted',
        'WorkflowEnded',
        'ConsensusNotReached',
        'HumanInputRequested',
      ]);
    });
  });

  it('are printed from a position on, with workflows started before it', async () => {
    await inEngine(async ({ redial, log }, sessionId) => {
      await redial.runSession({ sessionId });
      const events = await sessionTimeline(log, sessionId);
      const place = events.findIndex(({ type }) => type === 'WorkflowStarted');
      const printed: string[] = [];
      const after = parsePosition(log.store.logId, events[place]?.position ?? '');
      await followTimeline(log, sessionId, after, ({ type }) => printed.push(type)).end();
      expect(printed).toEqual(events.slice(place + 1).map(({ type }) => type));
      expect(printed).toContain('WorkflowEnded');
    });
  });

  it('are none when nothing came after the place', async () => {
    await inEngine(async ({ log }, sessionId) => {
      const printed: string[] = [];
      await followTimeline(log, sessionId, await log.store.head(), ({ type }) => printed.push(type)).end();
      expect(printed).toEqual([]);
    });
  });
});
