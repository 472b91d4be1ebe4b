import { afterAll, beforeAll } from '@jest/globals';
import { text, toolCall } from '#lib/activities/testing';
import { RedialServer } from '../support/redial-server.js';
import { TestBrowser } from './browser.js';

type Setting = NonNullable<Parameters<typeof RedialServer.start>[0]>;

/** A machine with a ladder to go down, and a state for people. */
export const returns = {
  machineName: 'returns',
  initialState: 'triage',
  goalState: 'closed',
  specialists: [
    { role: 'proposer', specialistId: 'clerk', contextTemplate: '{{metaJson.text}}', modelId: 'gpt-4o-mini' },
    { role: 'proposer', specialistId: 'ann', isHuman: true },
    { role: 'proposer', specialistId: 'bob', isHuman: true },
  ],
  states: {
    triage: {
      prompt: 'What should happen with this request?',
      transitions: {
        refund: {
          target: 'closed',
          description: 'Pay back',
          parameters: {
            type: 'object',
            properties: { amount: { type: 'number', maximum: 100 }, note: { type: 'string' } },
            required: ['amount'],
            additionalProperties: false,
          },
          onInvalidArguments: 'reask',
          needsPerson: true,
        },
        escalate: 'review',
      },
    },
    review: {
      transitions: { close: 'closed' },
      specialists: [{ role: 'proposer', specialistId: 'lead', isHuman: true }],
    },
    closed: {},
  },
};

/** A reply in prose, then a decision: two steps down the ladder. */
export const downTheLadder = [
  text('This looks like something a colleague should look at.'),
  text({ transitionName: 'escalate', toState: 'review', reasoning: 'A threat.' }),
];

export const proposesRefund = [toolCall('refund', { amount: 40, note: 'Broken' })];

export const correctsItsArguments = [toolCall('refund', { amount: 400 }), ...proposesRefund];

interface Shop {
  readonly server: RedialServer;
  readonly sessionIds: readonly string[];
  readonly browser: TestBrowser;
}

/** A shop and a browser for the specs of a `describe`; they are there from its first spec on. */
export function shopInBrowser(...shop: Parameters<typeof openShop>): Shop {
  const opened = {} as Shop;
  beforeAll(async () => {
    Object.assign(opened, await openShop(...shop), { browser: await TestBrowser.start() });
  });
  afterAll(async () => {
    await opened.browser.stop();
    await opened.server.stop();
  });
  return opened;
}

/** A server with the machine, and one session for each script of the model. */
async function openShop(
  scripts: readonly Setting['script'][],
  setting: Setting = {},
  headers: Readonly<Record<string, string>> = {},
): Promise<Omit<Shop, 'browser'>> {
  const script = scripts.flatMap((one) => (Array.isArray(one) ? (one as object[]) : []));
  const server = await RedialServer.start({ script: script as NonNullable<Setting['script']>, ...setting });
  await server.post('/v1/machines', returns, headers);
  const sessionIds: string[] = [];
  for (const [index] of scripts.entries()) {
    const body = { machineName: 'returns', metaJson: { text: `The cup is broken (${index + 1})` } };
    const { sessionId } = (await server.post('/v1/sessions', body, headers)).body as { sessionId: string };
    await server.post(`/v1/sessions/${sessionId}/run`, { maxTicks: 4 }, headers);
    sessionIds.push(sessionId);
  }
  return { server, sessionIds };
}

/** The task that waits in a session. */
export async function taskOf(
  server: RedialServer,
  sessionId: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<{
  readonly taskId: string;
  readonly digest: string;
  readonly proposals: { proposalId: string }[];
}> {
  const { body } = await server.get(`/v1/tasks?sessionId=${sessionId}`, headers);
  const [task] = (body as { items: Awaited<ReturnType<typeof taskOf>>[] }).items;
  if (!task) throw new Error(`no task waits in session ${sessionId}`);
  return task;
}
