import type { RedialServer } from './redial-server.js';

/** A machine with a tool, a plain transition, and a goal. */
export const refunds = {
  machineName: 'refunds',
  initialState: 'triage',
  goalState: 'closed',
  states: {
    triage: {
      prompt: 'What should happen with this request?',
      transitions: {
        approve: {
          target: 'closed',
          description: 'Pay the money back',
          parameters: { type: 'object', properties: { amount: { type: 'number' } } },
        },
        escalate: 'review',
      },
    },
    review: { transitions: { close: 'closed' } },
    closed: {},
  },
};

export const clerk = {
  role: 'proposer',
  specialistId: 'clerk',
  machineName: 'refunds',
  contextTemplate: 'Request: {{metaJson.text}}',
  modelId: 'gpt-4o-mini',
};

/** Defines the machine, registers the clerk, and starts a session; gives its id. */
export async function openRefund(
  server: RedialServer,
  headers: Readonly<Record<string, string>> = {},
): Promise<string> {
  await server.post('/v1/machines', refunds, headers);
  await server.post('/v1/specialists', clerk, headers);
  const body = { machineName: 'refunds', metaJson: { text: 'Broken cup' } };
  const session = await server.post('/v1/sessions', body, headers);
  return (session.body as { sessionId: string }).sessionId;
}
