import { randomUUID } from 'node:crypto';
import { expect } from '@jest/globals';
import { ScriptedLlmServer, type LlmScript } from '#lib/activities/testing';
import type { RedialOptions } from '#lib/engine';
import { RedialServer } from './redial-server.js';

const machine = {
  machineName: 'refunds',
  initialState: 'asked',
  goalState: 'done',
  states: { asked: { transitions: { pay: { target: 'done', description: 'Pay' } } }, done: {} },
};
export const SECRET = 'tenant-canary-0123456789';

/** A server with the default provider and two others, each a real HTTP server with a script. */
export class ProvidersSetting {
  #machineName = 'refunds';

  private constructor(
    readonly server: RedialServer,
    readonly eu: ScriptedLlmServer,
    readonly us: ScriptedLlmServer,
  ) {}

  static async start(
    eu: Partial<NonNullable<RedialOptions['providers']>[string]> = {},
    models: NonNullable<RedialOptions['prices']>[number]['models'] = {},
    script?: LlmScript,
  ): Promise<ProvidersSetting> {
    const [first, second] = [await ScriptedLlmServer.start(script), await ScriptedLlmServer.start(script)];
    const providers = {
      eu: {
        baseUrl: first.baseUrl,
        apiKeyEnv: 'EU_KEY',
        headers: { 'X-Tenant': SECRET },
        query: { 'api-version': '2024-10-21' },
        ...eu,
      },
      us: { baseUrl: second.baseUrl },
    };
    const prices = [{ version: 'v1', from: '2026-01-01T00:00:00Z', currency: 'USD', models }];
    const options = { providers, prices, providerKeys: { EU_KEY: 'sk-eu-canary-0123456789' } };
    const server = await RedialServer.start({ options, environment: { REDIAL_LLM_MAX_ATTEMPTS: undefined } });
    await server.post('/v1/machines', machine);
    return new ProvidersSetting(server, first, second);
  }

  /** For another test: a machine of its own, without the specialists of the tests before, and no requests yet. */
  async renew(): Promise<void> {
    this.#machineName = `refunds-${randomUUID()}`;
    await this.server.post('/v1/machines', { ...machine, machineName: this.#machineName });
    for (const { requests } of [this.eu, this.us, this.server.llm]) requests.length = 0;
  }

  async register(modelId: string, more: object = {}): Promise<void> {
    await this.server.post('/v1/specialists', {
      role: 'proposer',
      specialistId: 'clerk',
      machineName: this.#machineName,
      contextTemplate: 'Decide.',
      modelId,
      ...more,
    });
  }

  async session(): Promise<string> {
    const { body } = await this.server.post('/v1/sessions', { machineName: this.#machineName });
    return String(body['sessionId']);
  }

  async propose(of?: string) {
    const sessionId = of ?? (await this.session());
    const asked = await this.server.post(`/v1/sessions/${sessionId}/proposals`, { specialistId: 'clerk' });
    const events = await this.server.get(`/v1/sessions/${sessionId}/events?limit=500`);
    const replay = await this.server.post(`/v1/sessions/${sessionId}/replay`, {});
    expect(replay.body).toMatchObject({ identical: true, open: 0 });
    const { body: audit } = await this.server.get(`/v1/sessions/${sessionId}/llm-calls?limit=500`);
    const calls = audit['items'] as readonly object[];
    return { asked, calls, events: events.body['items'] as readonly { type: string; data: object }[] };
  }

  async stop(): Promise<void> {
    await this.server.stop();
    await Promise.all([this.eu.close(), this.us.close()]);
  }
}

export const ofType = (events: readonly { type: string; data: object }[], type: string) =>
  events.filter((event) => event.type === type).map(({ data }) => data);
