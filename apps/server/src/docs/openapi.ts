import { STATUS_CODES } from 'node:http';
import { readdirSync, readFileSync } from 'node:fs';
import { operations } from '#lib/engine';
import { type Examples, openApiOf } from '#lib/operations';

/** Short words for JSON Schema. */
const text = { type: 'string' } as const;
const uuid = { type: 'string', format: 'uuid' } as const;
const anything = { type: 'object', additionalProperties: true } as const;
const whole = { type: 'integer', minimum: 0 } as const;

function list(items: object) {
  return { type: 'array', items };
}

/** An object; members whose names end in `?` may be absent. */
function object(members: Readonly<Record<string, object>>) {
  const names = Object.keys(members);
  return {
    type: 'object',
    required: names.filter((name) => !name.endsWith('?')),
    properties: Object.fromEntries(names.map((name) => [name.replace(/\?$/, ''), members[name]])),
  };
}

// The routes that are not operations, as OpenAPI describes them.

interface OwnRoute {
  readonly operationId: string;
  readonly summary: string;
  readonly tag: string;
  readonly schema: object;
  readonly example?: object;
  /** Default: `application/json`. */
  readonly type?: string;
  readonly parameters?: readonly object[];
  /** Besides 400, 401 and 403. */
  readonly problems?: readonly number[];
}

const status = object({ status: text });

const MIN_POSITION = {
  name: 'minPosition',
  in: 'query',
  description:
    'Answer only once the rows have this position, which `Redial-Position` of an earlier answer gave',
  required: false,
  schema: text,
};

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
    description: 'Start after this position, unless the header Last-Event-ID names one',
    required: false,
    schema: text,
  },
  MIN_POSITION,
];

const LOG_STREAM: OwnRoute = {
  operationId: 'streamEvents',
  summary: 'The whole log as server-sent events, then live',
  tag: 'operations',
  parameters: [
    ...resumesAfter,
    {
      name: 'types',
      in: 'query',
      description: 'Only events of these types, separated by commas',
      required: false,
      schema: text,
    },
    {
      name: 'content',
      in: 'query',
      description:
        '`off`: `data` is `{ position, stream, revision, type }`, sent once the rows show the event, or after a second. Operators alone read the content',
      required: false,
      schema: { ...text, enum: ['off'] },
    },
  ],
  type: 'text/event-stream',
  schema: { ...text, description: '`id` is the position, `event` the type, `data` a RecordedEvent' },
  problems: [429, 503],
};

function eventStream(of: string, summary: string, description: string): Record<string, OwnRoute> {
  const id = `${of}Id`;
  const route: OwnRoute = {
    operationId: `stream${of.charAt(0).toUpperCase()}${of.slice(1)}Events`,
    summary,
    tag: `${of}s`,
    parameters: [{ name: id, in: 'path', required: true, schema: text }, ...resumesAfter],
    type: 'text/event-stream',
    schema: {
      ...text,
      description: `\`id\` is the position, \`event\` the type, \`data\` a RecordedEvent${description}`,
    },
    problems: [404, 429, 503],
  };
  return { [`/v1/${of}s/{${id}}/events/stream`]: route };
}

const DELTAS = '; `event: delta` has no `id`, and `data` is `{ stream, callId, text }`';

const OWN_ROUTES: { readonly [path: string]: OwnRoute } = {
  '/health/live': {
    operationId: 'getLiveness',
    summary: 'Whether the process answers',
    tag: 'operations',
    schema: status,
    example: { status: 'live' },
  },
  '/health/ready': {
    operationId: 'getReadiness',
    summary: 'Whether it can do its work',
    tag: 'operations',
    schema: status,
    example: { status: 'ready' },
    problems: [503],
  },
  '/metrics': {
    operationId: 'getMetrics',
    summary: 'Prometheus text',
    tag: 'operations',
    parameters: [MIN_POSITION],
    type: 'text/plain',
    schema: text,
    problems: [503],
  },
  '/v1/events/stream': LOG_STREAM,
  ...eventStream('session', 'The same as server-sent events, then live', DELTAS),
  ...eventStream(
    'run',
    'The events of a run as server-sent events, then live, with the parts of replies as they are received',
    DELTAS,
  ),
  ...eventStream(
    'conversation',
    'The events of a conversation as server-sent events, then live, with the parts of messages as they are received',
    '. Without `id`: `event: delta` with `{ turnId, callId, text }`, where all texts of a call joined are the message; after the end of a turn `event: done` with the Turn',
  ),
};

/** The paths of an OpenAPI document. */
function ownPaths(): { readonly [path: string]: object } {
  return Object.fromEntries(
    Object.entries(OWN_ROUTES).map(([path, route]) => [path, { get: described(route) }]),
  );
}

function described({
  tag,
  schema,
  example,
  type = 'application/json',
  parameters = [],
  problems = [],
  ...route
}: OwnRoute) {
  const answers = [400, 401, 403, ...problems].map((code) => [code, problem(code)] as const);
  const ok = { description: '', content: { [type]: { schema, ...(example && { example }) } } };
  return { ...route, tags: [tag], parameters, responses: { 200: ok, ...Object.fromEntries(answers) } };
}

function problem(code: number) {
  const schema = { $ref: '#/components/schemas/Problem' };
  return { description: STATUS_CODES[code] ?? '', content: { 'application/problem+json': { schema } } };
}

/** The body of every answer that is an error. */
const problemSchema = {
  ...object({
    type: text,
    title: text,
    status: whole,
    detail: text,
    code: text,
    'errors?': list(object({ path: text, message: text })),
    'kind?': text,
    'upstreamStatus?': whole,
    'solicitationId?': uuid,
    'arbitrationId?': uuid,
    'turnId?': uuid,
    'parts?': list(object({ part: text, why: text })),
    'machines?': list(text),
    'line?': whole,
    'before?': whole,
    'after?': whole,
    'claimedBy?': text,
    'claimedUntil?': text,
    'answer?': anything,
    'digest?': text,
    'changed?': anything,
    'sessionId?': uuid,
    'runId?': uuid,
    'conversationId?': uuid,
  }),
  description: 'RFC 9457; `detail` follows `[ErrorClass] what: why. how to fix.`, `code` is for programs',
};

/** All routes of the server, as OpenAPI 3.1 describes them. */
export function openApiDocument(): object {
  const declared = openApiOf(operations, recordedExamples());
  return {
    openapi: '3.1.0',
    info: {
      title: 'Redial',
      description:
        'State machines whose transitions are chosen by language models and people, every step recorded. ' +
        'A method that a path does not have is answered with 405 and `Allow`.',
      version: '1',
      license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
    },
    servers: [{ url: '/' }],
    security: [{ bearer: [] }],
    paths: { ...ownPaths(), ...declared.paths },
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
      schemas: { Problem: problemSchema, ...declared.components.schemas },
    },
  };
}

/** A file for each operation that has an example, beside the list of operations. */
function recordedExamples(): Examples {
  const folder = new URL('operations.examples/', import.meta.resolve('#operations'));
  const examples = readdirSync(folder).map((file) => [
    file.replace('.json', ''),
    JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as Examples[string],
  ]);
  return Object.fromEntries(examples) as Examples;
}
