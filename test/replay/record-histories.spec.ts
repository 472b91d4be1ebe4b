import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { ScriptedWebhookServer } from '#lib/activities/testing';
import { startEngine } from '../support/engine.js';
import { historyFile, historyOf } from './history.js';
import { scenarios } from './scenarios.js';

const manifest = readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8');
const { version } = JSON.parse(manifest) as { version: string };

// Histories are append-only: the ones of this version are written where they are missing, and never again.
describe.each(scenarios)(
  'a session recorded by this version: $name',
  ({ name, replies, hooks, options, play, evaluate }) => {
    it('replays identically, and is kept for the versions to come', async () => {
      const engine = await startEngine(replies, options);
      const webhook = await ScriptedWebhookServer.start(hooks);
      try {
        const sessionId = await play(engine.redial, webhook.url);
        const { redial } = engine;
        const evaluationId = await evaluate?.(redial);
        const evaluated = evaluationId === undefined ? [] : [await redial.evaluations.replay(evaluationId)];
        for (const report of [await redial.replaySession(sessionId), ...evaluated])
          expect(report).toMatchObject({ identical: true, open: 0, divergences: [] });
        const file = historyFile(version, name);
        if (existsSync(file)) return;
        mkdirSync(dirname(file), { recursive: true });
        writeFileSync(
          file,
          `${JSON.stringify(await historyOf(engine.log.store, sessionId, evaluationId), null, 1)}\n`,
        );
      } finally {
        await engine.stop();
        await webhook.close();
      }
    });
  },
);
