import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { type LlmScript, ScriptedLlmServer } from '#lib/activities/testing';
import { Redial, RedialModule, type RedialOptions } from '#lib/engine';
import { EventLog } from '#lib/event-store';

/** The whole embedded engine on a temporary folder, with a scripted model beside it. */
export interface TestEngine {
  readonly redial: Redial;
  readonly log: EventLog;
  readonly llm: ScriptedLlmServer;
  readonly dataDir: string;
  readonly app: INestApplicationContext;
  /** Stops both; fails when the script and what was asked did not fit. */
  stop(): Promise<void>;
}

export async function startEngine(script: LlmScript, options: RedialOptions = {}): Promise<TestEngine> {
  const dataDir = await mkdtemp(join(tmpdir(), 'redial-'));
  const llm = await ScriptedLlmServer.start(script);
  const settings = {
    dataDir,
    ...options,
    llm: { apiKey: 'sk-canary-0123456789', baseUrl: llm.baseUrl, ...options.llm },
  };
  const letGo = async () => {
    await rm(dataDir, { recursive: true, force: true });
    await llm.close();
  };
  let app: INestApplicationContext;
  try {
    app = await NestFactory.createApplicationContext(RedialModule.forRoot(settings), {
      logger: ['error'],
      abortOnError: false,
    });
  } catch (error) {
    await letGo();
    throw error;
  }
  const stop = async () => {
    await app.close();
    await letGo();
  };
  return { redial: app.get(Redial), log: app.get(EventLog), llm, dataDir, app, stop };
}
