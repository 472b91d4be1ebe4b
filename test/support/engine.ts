import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { temporaryFolder } from '#lib/kernel/testing';
import { type LlmScript, ScriptedLlmServer } from '#lib/activities/testing';
import { Redial, RedialModule, type RedialOptions } from '#lib/engine';
import { EventLog } from '#lib/event-store';
// The engine reads the environment: servers that are named there are for those tests alone that ask for them.
import './places/given-servers.js';

/** The whole engine, with a scripted model beside it. */
export interface TestEngine {
  readonly redial: Redial;
  readonly log: EventLog;
  readonly llm: ScriptedLlmServer;
  readonly dataDir: string;
  readonly app: INestApplicationContext;
  /** Stops both; fails when the script and what was asked did not fit. */
  stop(): Promise<void>;
}

/** Embedded, on a temporary folder, unless the options name another place. */
export async function startEngine(script: LlmScript, options: RedialOptions = {}): Promise<TestEngine> {
  const dataDir = options.dataDir ?? temporaryFolder();
  const llm = await ScriptedLlmServer.start(script);
  const settings = {
    ...options,
    dataDir,
    // Scripts count calls: a story that is about retries says so.
    llm: { apiKey: 'sk-canary-0123456789', baseUrl: llm.baseUrl, maxAttempts: 1, ...options.llm },
  };
  let app: INestApplicationContext;
  try {
    app = await NestFactory.createApplicationContext(RedialModule.forRoot(settings), {
      logger: ['error'],
      abortOnError: false,
    });
  } catch (error) {
    await llm.close();
    throw error;
  }
  const stop = async () => {
    await app.close();
    await llm.close();
  };
  return { redial: app.get(Redial), log: app.get(EventLog), llm, dataDir, app, stop };
}
