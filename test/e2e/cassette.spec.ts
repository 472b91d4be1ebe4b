import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { temporaryFolder } from '#lib/kernel/testing';
import { httpError, ScriptedLlmServer, setEnvironment, toolCall } from '#lib/activities/testing';
import type { RedialOptions } from '#lib/engine';
import { historyFile } from '#lib/histories/testing';
import { cassette, type CassetteOptions, expectIdentical } from '../../libs/engine/public/testing.js';
import { startEngine, type TestEngine } from '../support/engine.js';

const machine = (prompt = 'What should happen?') => ({
  machineName: 'refunds',
  initialState: 'open',
  goalState: 'closed',
  specialists: [
    { role: 'proposer', specialistId: 'clerk', modelId: 'gpt-4o-mini', contextTemplate: '{{metaJson.text}}' },
  ],
  states: {
    open: {
      prompt,
      transitions: {
        approve: {
          target: 'closed',
          parameters: { type: 'object', properties: { amount: { type: 'number' } } },
        },
        wait: 'open',
      },
    },
    closed: {},
  },
});

const UUID = /[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/g;

const replies = [toolCall('wait', {}), httpError(500, { error: 'busy' }), toolCall('approve', { amount: 5 })];

describe('a cassette', () => {
  let file: string;
  let restore: () => void;

  beforeEach(() => {
    file = join(temporaryFolder(), 'model.jsonl');
    restore = setEnvironment({ CI: undefined, THE_KEY: 'sk-canary-key' });
  });

  afterEach(() => restore());

  const played = (more: Partial<CassetteOptions> = {}): RedialOptions => ({
    providers: { default: cassette(file, { mode: 'replay', ...more }) },
  });

  /** Asks until the session is closed, and answers what came of each time. */
  async function ask({ redial }: TestEngine, times = 3, prompt?: string): Promise<readonly string[]> {
    await redial.defineMachine(machine(prompt));
    const { sessionId } = await redial.createSession({ machineName: 'refunds', metaJson: { text: 'A cup' } });
    const seen: string[] = [];
    for (let count = 0; count < times; count++) {
      const proposed = await redial
        .submitProposal({ sessionId, specialistId: 'clerk' })
        .then(({ transitionName }) => transitionName)
        .catch((error: Error) => error.message.replaceAll(UUID, 'an-id'));
      seen.push(proposed);
      if (proposed === 'wait')
        await redial.executeTransition({ sessionId, transitionName: 'wait', toState: 'open' });
    }
    expectIdentical(await redial.replaySession({ sessionId }));
    return seen;
  }

  async function recorded(): Promise<readonly string[]> {
    const llm = await ScriptedLlmServer.start(replies);
    const provider = { baseUrl: llm.baseUrl, apiKeyEnv: 'THE_KEY' };
    const engine = await startEngine([], played({ mode: 'record', provider }));
    try {
      return await ask(engine);
    } finally {
      await engine.stop();
      await llm.close();
    }
  }

  async function inEngine<T>(options: RedialOptions, work: (engine: TestEngine) => Promise<T>): Promise<T> {
    const engine = await startEngine([], options);
    try {
      return await work(engine);
    } finally {
      await engine.stop();
    }
  }

  it('answers what was recorded, tools and errors included, and makes no call; the file holds no key', async () => {
    const first = await recorded();
    expect(first).toEqual(['wait', expect.stringContaining('500'), 'approve']);
    expect(readFileSync(file, 'utf8')).not.toContain('sk-canary-key');
    expect(await inEngine(played(), (engine) => ask(engine))).toEqual(first);
    expect(await inEngine(played({ mode: 'auto' }), (engine) => ask(engine))).toEqual(first);
  });

  it('is any history: that of a session is the model of a test', async () => {
    const engine = await startEngine([toolCall('approve', { amount: 7 })]);
    let sessionId: string;
    try {
      await ask(engine, 1);
      sessionId = (await engine.redial.listSessions({})).items[0]?.sessionId ?? '';
      writeFileSync(file, await historyFile(engine.log, sessionId));
    } finally {
      await engine.stop();
    }
    expect(await inEngine(played(), (other) => ask(other, 1))).toEqual(['approve']);
  });

  it('fails with the difference where a request is not in it, and says when one is used up', async () => {
    await recorded();
    const [missed] = await inEngine(played(), (engine) => ask(engine, 1, 'Should we pay?'));
    expect(missed).toContain(`[CassetteMiss] the request {"rung":"tools"} to ${file}`);
    expect(missed).toMatch(
      /differs at \/body\/messages\/\d\/content: recorded ".*What should happen\?.*", asked ".*Should we pay\?/,
    );
    const twice = await inEngine(played(), async (engine) => [
      ...(await ask(engine, 3)),
      ...(await ask(engine, 1)),
    ]);
    expect(twice.at(-1)).toContain('[CassetteExhausted]');
  });

  it('says apart a file that is missing and one that cannot be read', async () => {
    expect(() => played()).toThrow(`[CassetteMissing] the cassette ${file}: there is no such file`);
    writeFileSync(file, 'no history\n');
    const [unreadable] = await inEngine(played(), (engine) => ask(engine, 1));
    expect(unreadable).toContain(`[CassetteUnreadable] the cassette ${file}`);
  });

  it('is never recorded with CI=true', () => {
    const back = setEnvironment({ CI: 'true' });
    try {
      for (const mode of ['record', 'auto'] as const)
        expect(() => played({ mode })).toThrow('[CassetteMissing]');
      expect(() => cassette(file, { mode: 'record' })).toThrow('CI=true forbids that');
    } finally {
      back();
    }
  });
});
