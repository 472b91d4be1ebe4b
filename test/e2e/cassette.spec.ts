import { readFileSync, rmSync, writeFileSync } from 'node:fs';
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

  it('cannot be read if it has no answered call of a model, or if their content was left out', async () => {
    const engine = await startEngine([toolCall('approve', { amount: 7 })]);
    const files: string[] = [];
    try {
      await ask(engine, 1);
      const [{ sessionId } = { sessionId: '' }] = (await engine.redial.listSessions({})).items;
      files.push(await historyFile(engine.log, sessionId, undefined, 'content'));
      const unasked = await engine.redial.createSession({ machineName: 'refunds' });
      files.push(await historyFile(engine.log, unasked.sessionId));
    } finally {
      await engine.stop();
    }
    const said: string[] = [];
    for (const text of files) {
      writeFileSync(file, text);
      said.push(...(await inEngine(played(), (other) => ask(other, 1))));
    }
    const unreadable = `[CassetteUnreadable] the cassette ${file}: `;
    expect(said).toEqual([
      expect.stringContaining(
        `${unreadable}it was exported without the content of its calls. Export it without --redact.`,
      ),
      expect.stringContaining(`${unreadable}it has no answered call of a model.`),
    ]);
  });

  it('fails a call whose answer it cannot record, and records it with the next one that it can', async () => {
    const folder = join(temporaryFolder(), 'taken');
    writeFileSync(folder, '');
    file = join(folder, 'model.jsonl');
    const llm = await ScriptedLlmServer.start([toolCall('approve', { amount: 1 }), toolCall('wait', {})]);
    const provider = { baseUrl: llm.baseUrl };
    const twice = async (engine: TestEngine) => {
      const [failed] = await ask(engine, 1);
      rmSync(folder);
      return [failed, ...(await ask(engine, 1))];
    };
    const seen = await inEngine(played({ mode: 'record', provider }), twice);
    await llm.close();
    expect(seen).toEqual([expect.stringContaining(`[CassetteNotWritten] the cassette ${file}: `), 'wait']);
    const again = async (engine: TestEngine) => [...(await ask(engine, 1)), ...(await ask(engine, 1))];
    expect(await inEngine(played(), again)).toEqual(['approve', 'wait']);
  });

  it('is recorded only with the key that its provider needs, and in a mode that there is', () => {
    const provider = { baseUrl: 'http://127.0.0.1:9', apiKeyEnv: 'NO_SUCH_KEY' };
    for (const mode of ['record', 'auto'] as const)
      expect(() => played({ mode, provider })).toThrow('it would be recorded, and NO_SUCH_KEY is not set');
    const mode = 'rec' as 'record';
    expect(() => played({ mode })).toThrow(/^\[InvalidSetting\] the mode of the cassette .*: it is rec\./);
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
