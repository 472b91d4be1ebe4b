import { STATUS_CODES } from 'node:http';
import type { Answer } from '../declare/answers.js';
import { type Operation, operationOf } from '../declare/operation.js';
import { withOpenObjects } from './open-objects.js';
import { answerSchema, componentSchemas, inputSchema, type JsonSchema, viewsNamedBy } from './schemas.js';

/** The part of an OpenAPI 3.1 document that operations are. */
interface OpenApiPart {
  readonly paths: { readonly [path: string]: { readonly [method: string]: JsonSchema } };
  readonly components: { readonly schemas: { readonly [name: string]: JsonSchema } };
}

/** A call of an operation that succeeded: its fields and, as JSON, the answer. */
interface Example {
  readonly input: JsonSchema;
  readonly answer: unknown;
}

/** By the id of the operation. */
export type Examples = { readonly [operationId: string]: Example };

/** Routes with their inputs and answers. The schema `Problem` is the server's own. */
export function openApiOf(operations: readonly Operation[], examples: Examples): OpenApiPart {
  const paths: Record<string, Record<string, JsonSchema>> = {};
  for (const operation of operations) {
    const path = operation.path.replaceAll(/:(\w+)/g, '{$1}');
    (paths[path] ??= {})[operation.method.toLowerCase()] = routeOf(operation, examples[operation.id]);
  }
  return withOpenObjects({ paths, components: { schemas: componentSchemas(viewsNamedBy(operations)) } });
}

function routeOf(operation: Operation, example?: Example): JsonSchema {
  const { id, summary, path, method, kind, lines } = operation;
  const { properties, required } = inputSchema(operation);
  const bodyNames = Object.keys(properties).filter((name) => sourceOf(operation, name) === 'body');
  return {
    operationId: id,
    summary,
    tags: [path.split('/')[2] ?? 'redial'],
    parameters: [
      ...Object.entries(properties)
        .filter(([name]) => sourceOf(operation, name) !== 'body')
        .map(([name, { description, ...schema }]) => ({
          name: nameInQuery(operation, name),
          in: sourceOf(operation, name),
          required: required.includes(name),
          ...(description !== undefined && { description }),
          schema,
          ...(example && name in example.input && { example: example.input[name] }),
        })),
      ...(kind === 'command' ? [IDEMPOTENCY_KEY, LEAVE_TO_PEOPLE] : []),
      ...(operation.async ? [PREFER] : []),
    ],
    ...(hasBody(method) && {
      requestBody: {
        required: bodyNames.some((name) => required.includes(name)),
        content: {
          [lines === undefined ? 'application/json' : 'application/x-ndjson']: {
            schema: bodySchema(operation, bodyNames),
            ...(example && { example: bodyOf(operation, bodyNames, example) }),
          },
        },
      },
    }),
    responses: { ...answersOf(operation, example), ...problemsOf(operation) },
  };
}

function hasBody(method: Operation['method']): boolean {
  return method === 'POST' || method === 'PUT';
}

/** The source of a field of an operation. */
export function sourceOf(
  { method, pathNames, query = {} }: Operation,
  name: string,
): 'path' | 'query' | 'body' {
  if (pathNames.includes(name)) return 'path';
  return hasBody(method) && !Object.values(query).includes(name) ? 'body' : 'query';
}

function nameInQuery({ query = {} }: Operation, field: string): string {
  return Object.keys(query).find((name) => query[name] === field) ?? field;
}

function bodySchema(operation: Operation, names: readonly string[]): JsonSchema {
  const { properties, required } = inputSchema(operation);
  if (operation.whole !== undefined) return properties[operation.whole] ?? {};
  if (operation.lines !== undefined) return LINES;
  return {
    type: 'object',
    properties: Object.fromEntries(names.map((name) => [name, properties[name]])),
    required: required.filter((name) => names.includes(name)),
    additionalProperties: false,
  };
}

const LINES: JsonSchema = {
  type: 'string',
  description: 'JSON Lines: an object with the fields of the call, then the lines of a file',
};

function bodyOf({ whole, lines }: Operation, names: readonly string[], { input }: Example): unknown {
  if (whole !== undefined) return input[whole];
  const fields = Object.entries(input).filter(([name]) => names.includes(name) && name !== lines);
  if (lines === undefined) return Object.fromEntries(fields);
  return `${JSON.stringify(Object.fromEntries(fields))}\n${String(input[lines])}`;
}

const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: 'The same key and body again gives the same answer and adds no event',
  schema: { type: 'string', minLength: 1, maxLength: 128 },
};

const LEAVE_TO_PEOPLE = {
  name: 'Redial-Leave-To-People',
  in: 'header',
  required: false,
  description:
    '`true`: the call is refused with 409 if it would take part in a round that waits for a person',
  schema: { type: 'string', const: 'true' },
};

const PREFER = {
  name: 'Prefer',
  in: 'header',
  required: false,
  description: '`respond-async`: answer at once with 202, while the work goes on',
  schema: { type: 'string' },
};

const LOCATION = { description: 'The path that shows the progress of the work', schema: { type: 'string' } };

const POSITION = {
  description: 'Position in the log of the last event that was appended for this call',
  schema: { type: 'string' },
};

function answersOf({ answers, kind, async: query, as }: Operation, example?: Example): JsonSchema {
  const headers = kind === 'command' ? { headers: { 'Redial-Position': POSITION } } : {};
  const later = query && operationOf(query).answers[200];
  return {
    ...statusesOf(answers, headers, example, as),
    ...(later && statusesOf({ 202: later }, { headers: { Location: LOCATION } })),
  };
}

/** @param example of the answer with 201, where there is one, else with the lowest status */
function statusesOf(
  answers: Operation['answers'],
  headers: JsonSchema,
  example?: Example,
  as: Operation['as'] = {},
): JsonSchema {
  const texts = Object.fromEntries(Object.keys(as).map((type) => [type, { schema: { type: 'string' } }]));
  const main = 201 in answers ? '201' : Object.keys(answers)[0];
  return Object.fromEntries(
    Object.entries(answers).map(([status, answer]: [string, Answer]) => {
      const schema = answerSchema(answer);
      const shown = example && status === main && { example: example.answer };
      const [first, ...others] = mediaTypesOf(answer);
      const more = Object.fromEntries(others.map((type) => [type, { schema }]));
      const content = schema && { content: { [first]: { schema, ...shown }, ...more, ...texts } };
      return [status, { description: STATUS_CODES[status] ?? '', ...headers, ...content }];
    }),
  );
}

function mediaTypesOf(answer: Answer): readonly [string, ...string[]] {
  if ('form' in answer && answer.form === 'lines') return answer.mediaTypes;
  return ['form' in answer && answer.form === 'text' ? answer.mediaType : 'application/json'];
}

function problemsOf({ kind, method, pathNames, problems = [] }: Operation): JsonSchema {
  const statuses = [
    400,
    401,
    403,
    503,
    ...(pathNames.length > 0 ? [404] : []),
    ...(hasBody(method) ? [413, 415, 422] : []),
    ...(kind === 'command' ? [409, 413, 415, 422] : []),
    ...problems,
  ];
  const schema = { $ref: '#/components/schemas/Problem' };
  return Object.fromEntries(
    [...new Set(statuses)]
      .toSorted((one, other) => one - other)
      .map((status) => [
        status,
        { description: STATUS_CODES[status], content: { 'application/problem+json': { schema } } },
      ]),
  );
}
