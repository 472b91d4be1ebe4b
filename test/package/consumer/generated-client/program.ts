import createClient from 'openapi-fetch';
import type { components, paths } from './schema.js';

type Session = components['schemas']['Session'];

// Objects of the application, whose members no schema names, go in and come out.
const client = createClient<paths>({ baseUrl: 'http://127.0.0.1:3000' });
const started = await client.POST('/v1/sessions', {
  body: { machineName: 'door', metaJson: { customer: 'Ada', items: [{ price: 40 }] } },
});
const session: Session | undefined = started.data;
const params = { path: { sessionId: session?.sessionId ?? '' } };
const { data, error } = await client.POST('/v1/sessions/{sessionId}/proposals', {
  params,
  body: { specialistId: 'ann', transitionName: 'push', metaJson: { amount: 5 } },
});
const amount: unknown = data?.metaJson?.['amount'];
const { data: calls } = await client.GET('/v1/sessions/{sessionId}/llm-calls', { params });
const run = await client.POST('/v1/runs', { body: { workflow: 'purchase', input: { sku: 'a' } } });
console.log(
  amount,
  error?.code,
  calls?.items.map(({ model }) => model),
  run.data?.runId,
);
