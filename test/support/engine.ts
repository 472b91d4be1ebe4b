import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { temporaryFolder } from '#lib/kernel/testing';
import { type LlmScript, ScriptedLlmServer } from '#lib/activities/testing';
import { Redial, RedialModule, type RedialOptions } from '#lib/engine';
import { EventLog } from '#lib/event-store';
import { inMemory, type Place } from './places/place.js';
// The engine reads the environment: servers that are named there are for those tests alone that ask for them.
import './places/given-servers.js';

/** The whole engine, with a scripted model beside it. */
export interface TestEngine {
  readonly redial: Redial;
  readonly log: EventLog;
  readonly llm: ScriptedLlmServer;
  readonly app: INestApplicationContext;
  /** Stops both; fails when the script and what was asked did not fit. */
  stop(): Promise<void>;
}

/** In memory, unless the options name another place; the rows of a log on a server in a temporary folder. */
export async function startEngine(script: LlmScript, options: RedialOptions = {}): Promise<TestEngine> {
  const llm = await ScriptedLlmServer.start(script);
  const settings = {
    ...placeOf(options),
    ...options,
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
  return { redial: app.get(Redial), log: app.get(EventLog), llm, app, stop };
}

function placeOf({ dataDir, eventStoreDbUrl, databaseUrl }: RedialOptions): Place {
  if (dataDir !== undefined) return {};
  const isOnServers = eventStoreDbUrl !== undefined || databaseUrl !== undefined;
  return isOnServers ? { dataDir: temporaryFolder() } : inMemory;
}
