import { beforeAll, describe, expect, it } from '@jest/globals';
import { type LlmScript, text, toolCall } from '#lib/activities/testing';
import type { Json } from '#lib/kernel';
import type { Workflow } from '#lib/workflow';
import { clerk } from '../support/clerk.js';
import { shopInBrowser } from './shop.js';
import { violationsOf } from './violations.js';

const PHONE = { viewport: { width: 375, height: 740 } };

interface Body {
  readonly response_format?: { readonly json_schema: { readonly name: string } };
  readonly messages: readonly { readonly role: string }[];
}

/** Calls the tool once in each turn, and says then that it is done. */
const script: LlmScript = ({ body }) => {
  const { response_format: format, messages } = body as unknown as Body;
  if (format?.json_schema.name === 'route') return text({ intent: 'to book', scores: { booking: 90 } });
  if (format?.json_schema.name === 'extract') return text({});
  return messages.at(-1)?.role === 'tool' ? text({ message: 'Done.' }) : toolCall('book', { day: 'Friday' });
};

const reply = {
  type: 'object',
  properties: { day: { type: 'string', maxLength: 9 } },
  required: ['day'],
  additionalProperties: false,
};

/** Asks which day, and ends with the answer. */
const question: Workflow<{ readonly said?: Json }> = {
  name: 'question',
  versions: {
    1: {
      input: { type: 'object' },
      initialState: () => ({}),
      evolve: (state, { type, data }) =>
        type === 'SignalReceived' ? { said: (data as { payload: Json }).payload } : state,
      next: ({ said }) =>
        said === undefined
          ? [{ do: 'await', id: 'day', signal: 'day', schema: reply, prompt: 'Which day?' }]
          : [{ do: 'end', result: said }],
    },
  },
};

describe('approvals and questions in the console', () => {
  const booked: unknown[] = [];
  const functions = { book: (given: unknown) => void booked.push(given) };
  const shop = shopInBrowser([], { script, options: { workflows: [question], functions } });

  beforeAll(async () => {
    const { server } = shop;
    const parameters = { type: 'object', properties: { day: { type: 'string' } } };
    const tool = { toolId: 'book', description: 'Books', parameters, execution: { fnName: 'book' } };
    expect((await server.post('/v1/tools', { ...tool, policy: { needsApproval: true } })).status).toBe(201);
    const steps = [{ id: 'do', prompt: 'Book', collect: ['day'], tools: ['book'] }];
    const flows = [{ id: 'booking', title: 'Booking', requiredFields: ['day'], steps }];
    expect((await server.post('/v1/agents', { ...clerk, flows })).status).toBe(201);
    for (const personId of ['ann', 'bob']) await server.post('/v1/people', { personId, role: 'reviewer' });
  });

  /** A conversation whose turn waits for an approval of the tool. */
  async function waiting(): Promise<string> {
    const { body } = await shop.server.post('/v1/conversations', { agentName: 'clerk' });
    const { conversationId } = body as { conversationId: string };
    const said = { text: 'Book me in' };
    const headers = { Prefer: 'respond-async' };
    await shop.server.post(`/v1/conversations/${conversationId}/messages`, said, headers);
    return conversationId;
  }

  it('approve a call of a tool on a phone, with other arguments; the conversation names who did', async () => {
    const conversationId = await waiting();
    const page = await shop.browser.open(`${shop.server.url}/conversations/${conversationId}`, PHONE);
    await page.getByRole('link', { name: 'Open the task' }).first().click();
    await page.getByRole('region', { name: 'Approval' }).waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await page.getByLabel('Answer as').selectOption('bob');
    await page.getByLabel('day').fill('Monday');
    await page.getByText('Approve sends your changes.').waitFor();
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.getByText(/answered by bob/).waitFor();
    await page.goto(`${shop.server.url}/conversations/${conversationId}`);
    await page.getByText(/approved by bob with/).waitFor();
    await page.getByText('Done.').first().waitFor();
    expect(booked).toEqual([expect.objectContaining({ day: 'Monday' })]);
    await page.context().close();
  });

  it('reject a call of a tool, which is not made', async () => {
    const page = await shop.browser.open(`${shop.server.url}/conversations/${await waiting()}`);
    await page.getByRole('link', { name: 'Open the task' }).first().click();
    await page.getByLabel('Answer as').selectOption('ann');
    await page.getByRole('button', { name: 'Reject' }).click();
    await page.getByText(/answered by ann/).waitFor();
    expect(booked).toHaveLength(1);
  });

  it('answer a question of a run in the fields of its schema', async () => {
    const run = { workflow: 'question', input: {} };
    const { runId } = (await shop.server.post('/v1/runs', run)).body as { runId: string };
    const page = await shop.browser.open(`${shop.server.url}/runs/${runId}`);
    await page.getByRole('link', { name: 'Open the task' }).click();
    await page.getByText('Which day?').first().waitFor();
    await page.getByLabel('Answer as').selectOption('ann');
    const day = page.getByLabel('day');
    await day.fill('Wednesday next');
    await page.getByRole('button', { name: 'Answer', exact: true }).click();
    await page.locator('[aria-invalid=true]').waitFor();
    await day.fill('Friday');
    await page.getByRole('button', { name: 'Answer', exact: true }).click();
    await page.getByText(/answered by ann/).waitFor();
    await page.goto(`${shop.server.url}/runs/${runId}`);
    await page.getByText('completed').first().waitFor();
    expect(shop.browser.complaints).toEqual([]);
  });
});
