import { STATUS_CODES } from 'node:http';
import { object, text } from './schema.js';

// The routes that are no operations, as OpenAPI describes them.

interface OwnRoute {
  readonly operationId: string;
  readonly summary: string;
  readonly tag: string;
  readonly schema: object;
  /** Default: `application/json`. */
  readonly type?: string;
  readonly parameters?: readonly object[];
  /** Besides 400 and 401. */
  readonly problems?: readonly number[];
}

const status = object({ status: text });

const resumesAfter = [
  {
    name: 'Last-Event-ID',
    in: 'header',
    description: 'Resume after this position',
    required: false,
    schema: text,
  },
  {
    name: 'lastEventId',
    in: 'query',
    description: 'Start after this position, where the header Last-Event-ID does not say so',
    required: false,
    schema: text,
  },
  {
    name: 'minPosition',
    in: 'query',
    description: 'Answer only once the rows have reached this position, given in `Redial-Position` before',
    required: false,
    schema: text,
  },
];

const eventStream = {
  type: 'text/event-stream',
  schema: {
    ...text,
    description:
      '`id` is the position, `event` the type, `data` a RecordedEvent; `event: delta` has no `id`, and `data` is `{ stream, callId, text }`',
  },
  problems: [404, 429, 503],
};

const OWN_ROUTES: { readonly [path: string]: OwnRoute } = {
  '/health/live': {
    operationId: 'HealthController_live',
    summary: 'Whether the process answers',
    tag: 'operations',
    schema: status,
  },
  '/health/ready': {
    operationId: 'HealthController_ready',
    summary: 'Whether it can do its work',
    tag: 'operations',
    schema: status,
    problems: [503],
  },
  '/metrics': {
    operationId: 'MetricsController_get',
    summary: 'Prometheus text',
    tag: 'operations',
    type: 'text/plain',
    schema: text,
    problems: [503],
  },
  '/v1/sessions/{sessionId}/events/stream': {
    operationId: 'SessionEventsController_stream',
    summary: 'The same as server-sent events, then live',
    tag: 'sessions',
    parameters: [inPath('sessionId'), ...resumesAfter],
    ...eventStream,
  },
  '/v1/runs/{runId}/events/stream': {
    operationId: 'RunEventsController_stream',
    summary:
      'The events of a run as server-sent events, then live, with the parts of replies as they are received',
    tag: 'runs',
    parameters: [inPath('runId'), ...resumesAfter],
    ...eventStream,
  },
  '/v1/conversations/{conversationId}/events/stream': {
    operationId: 'ConversationEventsController_stream',
    summary:
      'The events of a conversation as server-sent events, then live, with the parts of messages as they are received',
    tag: 'conversations',
    parameters: [inPath('conversationId'), ...resumesAfter],
    ...eventStream,
    schema: {
      ...text,
      description:
        '`id` is the position, `event` the type, `data` a RecordedEvent. Without `id`: `event: delta` with `{ turnId, callId, text }`, where all texts of a call joined are the message; after the end of a turn `event: done` with the Turn',
    },
  },
};

/** The paths of an OpenAPI document. */
export function ownPaths(): { readonly [path: string]: object } {
  return Object.fromEntries(
    Object.entries(OWN_ROUTES).map(([path, route]) => [path, { get: described(route) }]),
  );
}

function described({
  tag,
  schema,
  type = 'application/json',
  parameters = [],
  problems = [],
  ...route
}: OwnRoute) {
  const answers = [400, 401, ...problems].map((code) => [code, problem(code)] as const);
  const ok = { description: '', content: { [type]: { schema } } };
  return { ...route, tags: [tag], parameters, responses: { 200: ok, ...Object.fromEntries(answers) } };
}

function problem(code: number) {
  const schema = { $ref: '#/components/schemas/Problem' };
  return { description: STATUS_CODES[code] ?? '', content: { 'application/problem+json': { schema } } };
}

function inPath(name: string) {
  return { name, in: 'path', required: true, schema: text };
}
