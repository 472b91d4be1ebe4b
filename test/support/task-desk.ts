import type { LlmScript } from '#lib/activities/testing';
import type { JsonObject } from '#lib/kernel';
import type { RedialOptions } from '#lib/engine';
import { expect } from '@jest/globals';
import type { Place } from './places/place.js';
import { RedialServer } from './redial-server.js';

/** A task, as far as specs of tasks read it. */
export interface DeskTask extends JsonObject {
  readonly taskId: string;
  readonly digest: string;
  readonly status: string;
}

export interface DeskAnswer {
  readonly status: number;
  readonly body: Record<string, unknown>;
}

/** People who may answer tasks for the group of buyers, and people who may not. */
export const PEOPLE = {
  ann: ['reviewer', 'buyers'],
  bob: ['reviewer', 'buyers'],
  cy: ['reviewer'],
  vic: ['viewer', 'buyers'],
  olga: ['operator'],
} as const;

const OPERATOR = 'secret-of-the-operator';

/** A server whose people have tokens, and the calls that they make about tasks. */
export class TaskDesk {
  readonly #tokens: Record<string, string> = { operator: OPERATOR };

  private constructor(readonly server: RedialServer) {}

  /** @param people the role and the groups of each */
  static async start(
    options: RedialOptions,
    people: { readonly [personId: string]: readonly [role: string, ...groups: string[]] },
    parts: { readonly script?: LlmScript; readonly place?: Place } = {},
  ): Promise<TaskDesk> {
    const setting = { environment: { REDIAL_API_TOKEN: OPERATOR }, options, ...parts };
    const server = await RedialServer.start(setting);
    const desk = new TaskDesk(server);
    for (const [personId, [role, ...groups]] of Object.entries(people))
      await desk.register({ personId, role, groups });
    return desk;
  }

  async register(person: {
    readonly personId: string;
    readonly role: string;
    readonly groups: readonly string[];
  }) {
    const { body } = await this.post('operator', '/v1/people', person);
    this.#tokens[person.personId] = (body as { token: string }).token;
  }

  stop(): Promise<void> {
    return this.server.stop();
  }

  async get(who: string, path: string): Promise<DeskAnswer> {
    const { status, body } = await this.server.get(path, this.#headers(who));
    return { status, body: body as Record<string, unknown> };
  }

  async post(
    who: string,
    path: string,
    sent: object = {},
    headers: Readonly<Record<string, string>> = {},
  ): Promise<DeskAnswer> {
    const { status, body } = await this.server.post(path, sent, { ...this.#headers(who), ...headers });
    return { status, body: body as Record<string, unknown> };
  }

  async text(who: string, path: string): Promise<string> {
    return (await fetch(`${this.server.url}${path}`, { headers: this.#headers(who) })).text();
  }

  async delete(path: string): Promise<void> {
    await this.server.http.delete(path).set(this.#headers('operator'));
  }

  /** Registers a tool of the function `refund`, with an amount. */
  async tool(toolId: string, needsApproval: boolean | object): Promise<DeskAnswer> {
    return this.post('operator', '/v1/tools', {
      toolId,
      description: 'Pays back',
      parameters: {
        type: 'object',
        properties: { amount: { type: 'number' } },
        required: ['amount'],
        additionalProperties: false,
      },
      execution: { fnName: 'refund' },
      policy: { needsApproval },
    });
  }

  /** A run that has begun to wait. */
  async started(workflow: string, input: object, who = 'operator'): Promise<string> {
    const { status, body } = await this.post(who, '/v1/runs', { workflow, input, waitMs: 10_000 });
    expect([status, body['status']]).toEqual([201, 'waiting']);
    return body['runId'] as string;
  }

  /** The only task of a run. */
  async taskOf(runId: string): Promise<DeskTask> {
    const { body } = await this.get('operator', `/v1/tasks?runId=${runId}&status=all`);
    const [task, ...others] = body['items'] as DeskTask[];
    expect(others).toEqual([]);
    if (!task) throw new Error('no task');
    return task;
  }

  answer(
    who: string,
    { taskId }: Pick<DeskTask, 'taskId'>,
    body: object,
    headers?: Readonly<Record<string, string>>,
  ): Promise<DeskAnswer> {
    return this.post(who, `/v1/tasks/${taskId}/answer`, body, headers);
  }

  async ended(runId: string): Promise<Record<string, unknown>> {
    return (await this.get('operator', `/v1/runs/${runId}?waitMs=10000`)).body;
  }

  #headers(who: string): Readonly<Record<string, string>> {
    return { Authorization: `Bearer ${this.#tokens[who]}` };
  }
}

/** The status and the code of each answer. */
export async function codes(
  ...answers: readonly Promise<DeskAnswer>[]
): Promise<readonly (readonly [number, unknown])[]> {
  return (await Promise.all(answers)).map(({ status, body }) => [status, body['code']] as const);
}
