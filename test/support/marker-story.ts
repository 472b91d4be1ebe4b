import { type ScriptedReply, type ScriptedRequest, text, toolCall } from '#lib/activities/testing';
import { sha256 } from '#lib/kernel';
import { clerk } from './clerk.js';
import type { RedialServer } from './redial-server.js';
import { release } from './releases.js';
import { reviewedRefunds } from './reviewed-refunds.js';

export const MARKER = 'marker-4711-of-ann';
/** Stands where the marker stands in what is about nobody. */
export const OTHER = 'marker-0815-of-none';
const large = (marker: string) => marker.repeat(20_000);
const markerIn = (given: string) => (given.includes(MARKER) ? MARKER : OTHER);

/** Base64 of a text within longer bytes: what is the same whatever is before and after it, at each of three places. */
function base64Forms(bytes: Buffer): readonly string[] {
  return [0, 1, 2].map((at) =>
    Buffer.concat([Buffer.alloc(at), bytes])
      .toString('base64')
      .replaceAll('=', '')
      .slice(at === 0 ? 0 : 4, -2),
  );
}

const hashed = [MARKER, JSON.stringify(MARKER), large(MARKER), JSON.stringify(large(MARKER))].map(sha256);

/** The marker itself, its hashes, and both in base64 and hex. */
export const FORMS: readonly string[] = [
  MARKER,
  Buffer.from(MARKER).toString('hex'),
  ...base64Forms(Buffer.from(MARKER)),
  ...hashed,
  ...hashed.map((hash) => Buffer.from(hash, 'hex').toString('base64').slice(0, -2)),
];

/** The model: says the marker of what it is asked about wherever it can say something. */
export function sayMarker({ body, text: sent }: ScriptedRequest): ScriptedReply {
  const marker = markerIn(sent);
  const format = body['response_format'] as { json_schema?: { name?: string } } | undefined;
  const purpose = format?.json_schema?.name;
  if (purpose === 'route') return text({ intent: marker, scores: { Booking: 90 } });
  if (purpose === 'extract') return text({ day: marker });
  if (purpose !== undefined) return text({ message: marker });
  if (body['model'] !== 'planner-1')
    return text({ transitionName: 'review', toState: 'review', reasoning: marker });
  return sent.includes('"role":"tool"') ? text(marker) : toolCall('note', { text: marker });
}

export const functions = { note: (given: unknown) => ({ noted: markerIn(JSON.stringify(given)) }) };

const proposing = (transitionName: string) => (given: unknown) => {
  const reasoning = markerIn(JSON.stringify(given));
  return Promise.resolve({ transitionName, reasoning, metaJson: { note: reasoning } });
};
export const strategies = { tests: proposing('ship'), review: proposing('hold') };

const booker = {
  ...clerk,
  agentName: 'booker',
  flows: [
    {
      title: 'Booking',
      requiredFields: ['day'],
      steps: [{ id: 'do', prompt: 'Book', collect: ['day'], tools: ['note'] }],
    },
  ],
};

/** Definitions that both share: nothing in them is about a subject. */
export async function define(server: RedialServer): Promise<void> {
  const parameters = { type: 'object', properties: { text: { type: 'string' } } };
  const execution = { fnName: 'note' };
  const made = [
    await server.post('/v1/machines', reviewedRefunds),
    await server.post('/v1/gates', release),
    await server.post('/v1/tools', { toolId: 'note', description: 'Notes', parameters, execution }),
    await server.post('/v1/agents', booker),
  ];
  for (const { status, body } of made) if (status !== 201) throw new Error(JSON.stringify(body));
}

/**
 * A marker in everything that can be about a subject.
 * @param key tells this time from others
 * @returns the paths at which it is read
 */
export async function plant(
  server: RedialServer,
  { key, subject }: { readonly key: string; readonly subject?: string },
): Promise<readonly string[]> {
  const marker = subject === undefined ? OTHER : MARKER;
  const about = subject === undefined ? {} : { subject };
  const post = async (path: string, body: object = {}) => {
    const answer = await server.post(`/v1/${path}`, body, {
      'Idempotency-Key': `${key} ${path} ${JSON.stringify(body).length}`,
    });
    if (answer.status >= 300) throw new Error(`${path}: ${JSON.stringify(answer.body)}`);
    return answer.body as { [member: string]: string };
  };
  const metaJson = { text: marker, large: large(marker) };
  const reasoning = marker;
  const { sessionId } = await post('sessions', {
    machineName: 'refunds',
    metaJson,
    tags: { name: marker },
    ...about,
  });
  await post(`sessions/${sessionId}/proposals`, { specialistId: 'clerk' });
  const { items: tasks } = (await server.get('/v1/tasks')).body as {
    items: { taskId: string; about: { sessionId?: string } }[];
  };
  const task = tasks.find((one) => one.about.sessionId === sessionId);
  if (task) await post(`tasks/${task.taskId}/comments`, { text: marker });
  await post(`sessions/${sessionId}/arbitrations`, {
    specialistId: 'boss',
    transitionName: 'deny',
    reasoning,
    metaJson: { note: marker },
  });
  const { items: calls } = (await server.get(`/v1/sessions/${sessionId}/llm-calls`)).body as {
    items: { callId: string }[];
  };
  await post(`llm-calls/${calls[0]?.callId}/tries`);
  const fork = await post(`sessions/${sessionId}/forks`, { atRevision: 1, reason: marker });
  const gate = await post('sessions', { machineName: 'release', metaJson, ...about });
  await post(`sessions/${gate['sessionId']}/tick`);
  const approval = await post('runs', {
    workflow: 'approval',
    input: { item: marker },
    ...about,
    waitMs: 5_000,
  });
  const heldRun = await post(`runs/${approval['runId']}/forks`, { atRevision: 1 });
  const prompts = { systemPrompt: marker, userPrompt: marker };
  const input = { ...prompts, model: 'planner-1', tools: ['note'], maxRounds: 3 };
  const planned = await post('runs', { workflow: 'planner', input, ...about, waitMs: 20_000 });
  const { conversationId } = await post('conversations', {
    agentName: 'booker',
    tags: { name: marker },
    ...about,
  });
  const turn = await post(`conversations/${conversationId}/messages`, { text: marker });
  const talkFork = await post(`conversations/${conversationId}/forks`, {
    atTurn: turn['turnId'],
    reason: marker,
  });
  return [
    ...[sessionId, fork['sessionId'], gate['sessionId']].flatMap((id) =>
      ['', '/events', '/history', '/proposals', '/why'].map((part) => `/v1/sessions/${id}${part}`),
    ),
    `/v1/sessions/${sessionId}/llm-calls`,
    ...[approval['runId'], heldRun['runId'], planned['runId']].flatMap((id) =>
      ['', '/events', '/history'].map((part) => `/v1/runs/${id}${part}`),
    ),
    `/v1/runs/${planned['runId']}/llm-calls`,
    `/v1/runs/${planned['runId']}/tool-calls`,
    ...[conversationId, talkFork['conversationId']].flatMap((id) =>
      ['', '/events', '/history', '/turns', '/llm-calls'].map((part) => `/v1/conversations/${id}${part}`),
    ),
  ];
}

/** Lists that show what is about everybody. */
export const LISTS = [
  '/v1/sessions',
  '/v1/runs',
  '/v1/conversations',
  '/v1/tasks?status=all',
  '/v1/llm-calls?include=bodies',
  '/v1/events?limit=500',
  '/v1/exports/sessions?format=jsonl',
  '/v1/exports/decisions?format=jsonl',
  '/v1/exports/proposals?format=csv',
  '/v1/hooks/told/deliveries',
];
