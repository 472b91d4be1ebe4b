import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { NestFactory } from '@nestjs/core';
import { temporaryFolder } from '#lib/kernel/testing';
import { ScriptedLlmServer, setEnvironment, toolCall } from '#lib/activities/testing';
import { readEnvironment, Redial } from '#lib/engine';
import { runCli } from '../../apps/cli/src/run-cli.js';
import { RedialServer } from '../support/redial-server.js';
import { Shop, ShopModule } from '../../examples/shop.js';
import { regionOf } from './snippets.js';

const ROOT = join(import.meta.dirname, '../..');

/** Runs a script against a server of its own. @returns what it prints */
async function runOverHttp(script: string): Promise<string> {
  const server = await RedialServer.start();
  const env = { ...process.env, REDIAL_URL: server.url };
  const { stdout } = await promisify(execFile)('bash', [script], { cwd: ROOT, env });
  await server.stop();
  return stdout;
}

describe('the scripts over HTTP', () => {
  it('examples/decide.sh: a person decides when nobody is trusted yet, and the machine learns', async () => {
    const stdout = await runOverHttp('examples/decide.sh');
    expect(stdout).toContain('needs_human');
    expect(stdout).toContain('"reason":"no-consensus"');
    expect(stdout).toContain('"guardReason":"Human override accepted"');
    expect(stdout).toContain('"specialistId":"first-offer","matchingChoices":1,"totalComparisons":1');
    expect(stdout).toContain('"humanDecisions":1');
  });

  it('examples/http.sh: a refund is decided, and its replay is identical', async () => {
    const stdout = await runOverHttp('examples/http.sh');
    expect(stdout).toContain('"transitionName":"deny"');
    expect(stdout).toContain('"type":"TransitionExecuted"');
    expect(stdout).toContain('"identical":true');
  });
});

describe('examples/shop.ts', () => {
  it('0.2-H2: asks the model, has the person accept, edit and refuse, and registers its tool and its agent', async () => {
    const dataDir = temporaryFolder();
    const llm = await ScriptedLlmServer.start(Array(3).fill(toolCall('pay', { amount: 40 })));
    const restore = setEnvironment({
      REDIAL_DATA_DIR: dataDir,
      OPENAI_API_KEY: 'sk-shop',
      OPENAI_BASE_URL: llm.baseUrl,
    });
    const app = await NestFactory.createApplicationContext(ShopModule, { logger: false });
    const [shop, redial] = [app.get(Shop), app.get(Redial)];
    const { sessionId, status } = await shop.ask('The cup came broken.');
    expect(status).toBe('needs_human');
    expect((await redial.getInbox()).items).toMatchObject([
      { sessionId, detail: 'no proposer is trusted yet', proposals: [{ transitionName: 'pay' }] },
    ]);
    await shop.refuse(sessionId, 'Not our cup.');
    expect(await redial.getSession({ sessionId })).toMatchObject({
      status: 'done',
      history: [{ transitionName: 'refuse', decidedBy: 'lead' }],
    });
    for (const amount of [undefined, 15]) {
      const asked = await shop.ask('The cup came broken.');
      const [proposal] = (await redial.listProposals({ sessionId: asked.sessionId })).items;
      const pay = { sessionId: asked.sessionId, specialistId: 'lead', transitionName: 'pay' };
      await expect(redial.decide(pay)).rejects.toMatchObject({ rejection: { code: 'arguments-needed' } });
      await shop.accept(asked.sessionId, proposal?.proposalId ?? '', amount);
      expect(await redial.getSession({ sessionId: asked.sessionId })).toMatchObject({
        history: [{ transitionName: 'pay', metaJson: { amount: amount ?? 40 }, isHuman: true }],
      });
      expect((await redial.listProposals({ sessionId: asked.sessionId })).items).toMatchObject([
        { status: 'won' },
      ]);
      expect(await redial.replaySession({ sessionId: asked.sessionId })).toMatchObject({ identical: true });
    }
    expect(await redial.getTool({ toolId: 'find_order' })).toMatchObject({ policy: { readOnly: true } });
    expect(await redial.getAgent({ agentName: 'receptionist' })).toMatchObject({ version: 1 });
    await app.close();
    await llm.close();
    restore();
  });
});

describe('examples/engines.sh', () => {
  it('sets nothing that the environment would refuse', () => {
    const exported = [...regionOf('examples/engines.sh#steps').matchAll(/^export (\w+)='([^']*)'$/gm)];
    const variables = Object.fromEntries(exported.map(([, name = '', value]) => [name, value]));
    expect(readEnvironment(variables)).toMatchObject(variables);
    expect(Object.keys(variables)).toEqual(['EVENTSTOREDB_URL', 'DATABASE_URL']);
  });
});

describe('the command lines of the examples', () => {
  let dataDir: string;

  beforeEach(async () => {
    dataDir = temporaryFolder();
  });

  /** Runs the lines `npm run redial -- …` of a script in this process, in their order. */
  async function runLines(
    script: string,
  ): Promise<{ readonly codes: readonly number[]; readonly printed: string }> {
    const lines = regionOf(`${script}#steps`).trim().split('\n');
    const codes: number[] = [];
    let printed = '';
    const sink = { write: (text: string) => (printed += text) };
    for (const line of lines) {
      const argv = [...line.replace(/^npm run redial -- /, '').matchAll(/'([^']*)'|(\S+)/g)].map(
        ([, quoted, word]) => quoted ?? word ?? '',
      );
      codes.push(
        await runCli([...argv, '--data-dir', dataDir], {
          out: sink,
          err: sink,
          untilStopped: () => Promise.resolve(),
        }),
      );
    }
    return { codes, printed };
  }

  it('of examples/cli.sh run a machine, replay it and list the projections', async () => {
    const { codes, printed } = await runLines('examples/cli.sh');
    expect(codes).toEqual([0, 0, 0]);
    expect(printed).toMatch(/replay: identical \(\d+ events, 0 calls\)/);
  });

  it('of examples/live.sh let a model decide', async () => {
    const server = await RedialServer.start({
      script: [toolCall('approve', { amount: 40, reason: 'Broken' })],
    });
    const { codes, printed } = await runLines('examples/live.sh');
    await server.stop();
    expect(codes).toEqual([0]);
    expect(printed).toContain('approve');
  });
});
