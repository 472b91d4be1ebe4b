import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { text } from '#lib/activities/testing';
import { join } from 'node:path';
import { CommandLine } from './command-line.js';
import { door, refunds } from './machines.js';

const decision = text('{"transitionName":"escalate","toState":"review","reasoning":"odd"}');

describe('commands that look back', () => {
  let cli: CommandLine;
  let opened: string;
  let escalated: string;

  beforeAll(async () => {
    cli = await CommandLine.open();
    cli.llm.enqueue(decision);
    [opened = '', escalated = ''] = await cli.sessions(door, refunds);
  });
  afterAll(() => cli.close());

  it('redial inspect --at shows a session as it was, in every part, and redial replay --at checks as much of it', async () => {
    const { exitCode, lines } = await cli.run('inspect', escalated, '--at', '0');
    expect(exitCode).toBe(0);
    expect(lines).toContainEqual(expect.stringMatching(/state +triage \(open\)/));
    for (const part of ['History', 'Proposals', 'Calls to models']) expect(lines).not.toContain(part);
    expect(lines.slice(lines.indexOf('Timeline') + 1)).toHaveLength(2);
    const replayed = await cli.run('replay', escalated, '--at', '1', '--json');
    expect(JSON.parse(replayed.out)).toMatchObject({ identical: true, open: 1, streamsChecked: 2 });
  });

  it('redial replay --at verifies an append whole where the moment is inside it, of a fork too', async () => {
    const forked = await cli.run('fork', opened, '--at', '2', '--json');
    const { sessionId: fork } = JSON.parse(forked.out) as { sessionId: string };
    for (const id of [opened, fork]) {
      const { revision } = await cli.prepare((redial) => redial.getSession({ sessionId: id }));
      for (let at = 0; at <= revision; at++) {
        const { exitCode, err } = await cli.run('replay', id, '--at', String(at));
        expect([id, at, exitCode, err]).toEqual([id, at, 0, '']);
      }
    }
  });

  it('refuses a moment that cannot be read, or that is beyond the end', async () => {
    const yesterday = await cli.run('inspect', escalated, '--at', 'yesterday');
    expect([yesterday.exitCode === 0, yesterday.err]).toEqual([
      false,
      expect.stringContaining('MalformedMoment'),
    ]);
    const later = await cli.run('inspect', escalated, '--at', '4000');
    expect([later.exitCode === 0, later.err]).toEqual([false, expect.stringContaining('UnknownMoment')]);
    const every = await cli.run('replay', '--all', '--at', '1');
    expect(every.err).toContain('a moment is of one stream');
    const jobs = await cli.run('replay', escalated, '--jobs', '2');
    expect([jobs.exitCode, jobs.err]).toEqual([
      2,
      expect.stringContaining('[InvalidInput] redial replay --jobs'),
    ]);
  });

  it('redial why names the events that led to the decision, the nearest first, in the words of the timeline', async () => {
    const { exitCode, lines } = await cli.run('why', escalated);
    expect(exitCode).toBe(0);
    expect(lines[0]).toMatch(/^TransitionExecuted {2}triage ── escalate ──▶ review/);
    expect(lines).toContainEqual(expect.stringMatching(/^ +end: WorkflowEnded {2}escalate → review, by /));
    expect(lines).toContainEqual(expect.stringMatching(/^ +.*: LlmCallRequested {2}tool call: /));
    expect(lines).toContainEqual(
      expect.stringMatching(/^ +round: SessionCreated {2}refunds version 1 starts in triage/),
    );
    const { nodes } = JSON.parse((await cli.run('why', escalated, '--revision', '0', '--json')).out) as {
      nodes: readonly object[];
    };
    expect(nodes).toHaveLength(1);
  });

  it('redial diff compares two sessions, and takes history files', async () => {
    const file = join(cli.dataDir, 'escalated.jsonl');
    expect((await cli.run('history', 'export', escalated, '--to', file)).exitCode).toBe(0);
    expect((await cli.run('diff', escalated, file)).lines[0]).toBe('all decided rounds are the same');
    expect((await cli.run('diff', opened, escalated)).lines[0]).toBe('the sessions differ');
    const ofFile = (await cli.run('why', file)).lines.map((line) => line.replaceAll(/\(.*@/g, '(@'));
    const ofLog = (await cli.run('why', escalated)).lines.map((line) => line.replaceAll(/\(.*@/g, '(@'));
    expect(ofFile).toEqual(ofLog);
  });
});

describe('runs, looked back at', () => {
  let cli: CommandLine;
  let runId: string;
  let file: string;

  beforeAll(async () => {
    cli = await CommandLine.open();
    runId = await cli.prepare(async (redial) => {
      cli.llm.enqueue(text('Good morning.'));
      const prompts = { systemPrompt: 'You help.', userPrompt: 'Greet.' };
      const input = { ...prompts, model: 'gpt-4o-mini', tools: [], maxRounds: 1 };
      return (await redial.startRun({ workflow: 'planner', input, waitMs: 10_000 })).runId;
    });
    file = join(cli.dataDir, 'run.jsonl');
    await cli.run('history', 'export', runId, '--to', file);
  });
  afterAll(() => cli.close());

  it('redial inspect and redial replay take the id of a run, and answer as for its history file', async () => {
    for (const command of ['inspect', 'replay']) {
      const ofLog = await cli.run(command, runId, '--json');
      expect([command, ofLog.exitCode, ofLog.err]).toEqual([command, 0, '']);
      expect(JSON.parse(ofLog.out)).toEqual(JSON.parse((await cli.runBare(command, file, '--json')).out));
    }
    expect(JSON.parse((await cli.run('replay', runId, '--json')).out)).toMatchObject({
      runId,
      identical: true,
    });
  });

  it('redial runs why names the same events in the same words as redial why', async () => {
    const { exitCode, lines } = await cli.run('runs', 'why', runId);
    expect([exitCode, lines]).toEqual([0, (await cli.run('why', runId)).lines]);
    expect(lines[0]).toMatch(/^WorkflowEnded {2}completed: /);
  });

  it('redial diff says of a run, and of a file of one, that it compares sessions', async () => {
    for (const named of [runId, file])
      expect(await cli.run('diff', named, named)).toMatchObject({
        exitCode: 2,
        err:
          `[InvalidInput] run ${runId}: redial diff compares sessions, and this is a run. ` +
          'Give the ids of two sessions, or history files of sessions.\n',
      });
  });

  it('redial inspect --at and redial replay --at show and check the beginning of a run', async () => {
    const { out } = await cli.run('inspect', runId, '--at', '0', '--json');
    expect(JSON.parse(out)).toMatchObject({ run: { runId, status: 'running' } });
    const replayed = await cli.run('replay', runId, '--at', '0', '--json');
    expect(JSON.parse(replayed.out)).toMatchObject({ runId, identical: true, open: 1, eventsTaken: 1 });
    expect((await cli.run('replay', runId, '--at', '4000')).err).toContain('[UnknownMoment]');
  });
});
