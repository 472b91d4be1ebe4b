import type { NestExpressApplication } from '@nestjs/platform-express';
import request from 'supertest';
import { type LlmScript, ScriptedLlmServer, setEnvironment } from '#lib/activities/testing';
import { readEnvironment, type RedialOptions } from '#lib/engine';
import { EventLog } from '#lib/event-store';
import { startServer } from '../../apps/server/src/start-server.js';
import { DocumentedAnswers } from './documented-answers.js';
import { inMemory, type Place } from './places/place.js';
import { variablesOf } from './places/variables-of.js';

/** Texts that must never be in an answer. */
export const API_KEY = 'sk-canary-0123456789';
export const API_TOKEN = 'token-canary-0123456789';

interface Setting {
  readonly script?: LlmScript;
  /** Besides the place, a free port, the scripted model and its key; `undefined` takes one away. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  readonly options?: RedialOptions;
  /** Default: in memory. */
  readonly place?: Place;
}

/** The real server over HTTP, a real log, and a scripted model beside it. */
export class RedialServer {
  private constructor(
    readonly app: NestExpressApplication,
    readonly url: string,
    readonly llm: ScriptedLlmServer,
    readonly place: Place,
    private readonly restoreEnvironment: () => void,
    private readonly answers: DocumentedAnswers,
  ) {}

  static async start({
    script,
    environment,
    options,
    place = inMemory,
  }: Setting = {}): Promise<RedialServer> {
    const llm = await ScriptedLlmServer.start(script);
    const variables = {
      PORT: '0',
      HOST: '127.0.0.1',
      ...variablesOf(place),
      OPENAI_API_KEY: API_KEY,
      OPENAI_BASE_URL: llm.baseUrl,
      // Scripts count calls: a story that is about retries says so.
      REDIAL_LLM_MAX_ATTEMPTS: '1',
      REDIAL_API_TOKEN: undefined,
      LOG_LEVEL: 'fatal',
      ...environment,
    };
    const restore = setEnvironment(variables);
    const { app, url } = await startServer(readEnvironment(process.env), {
      ...(place.storage && { storage: place.storage }),
      ...options,
    });
    // On a busy machine a request could be on its way on an idle connection that the server just closed.
    app.getHttpServer().keepAliveTimeout = 0;
    const answers = new DocumentedAnswers(app.getHttpServer());
    return new RedialServer(app, url, llm, place, restore, answers);
  }

  get http() {
    return request(this.url);
  }

  get log(): EventLog {
    return this.app.get(EventLog);
  }

  async get(path: string, headers: Readonly<Record<string, string>> = {}): Promise<request.Response> {
    return this.http.get(path).set(headers);
  }

  async post(
    path: string,
    body: object = {},
    headers: Readonly<Record<string, string>> = {},
  ): Promise<request.Response> {
    return this.http.post(path).set(headers).send(body);
  }

  /** The position of the last event of the log. */
  head(): Promise<string | undefined> {
    return this.log.store.head();
  }

  /** Stops both. Fails if the script and what was asked did not fit, or an answer was not as its document says. */
  async stop(): Promise<void> {
    await this.app.close();
    this.restoreEnvironment();
    await this.llm.close();
    this.answers.check();
  }
}
