import { join } from 'node:path';
import { createContext, runInContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import * as formats from 'ajv-formats';
import { build } from 'esbuild';
import type * as client from '#lib/client';
import { operations } from '#lib/engine';
import { inputSchema, type Operation } from '#lib/operations';
import { ProjectionRunner } from '#lib/read-models';
import { RedialServer } from '../support/redial-server.js';
import { callThrough, type Door, DOORS, hasDoor, LEFT_TO_PEOPLE } from './doors.js';
import { inputs, prepare, scriptFor, workflows } from './inputs.js';
import { masterKey } from './subjects.js';
import { webhooks } from './parked-deliveries.js';

const LONG_MS = 20_000;

/** Two doors may differ in the names that their inputs give, in ids, secrets, times, durations and hashes; the command line has no pages. */
/** Without the way to the next page, and without counts of tasks for the caller: the doors have different ones. */
function comparable(answer: unknown): unknown {
  const {
    nextCursor: _,
    mine: _mine,
    claimable: _claimable,
    ...whole
  } = { ...(answer as object) } as Record<string, unknown>;
  const text = JSON.stringify(answer === null || typeof answer === 'string' ? answer : whole)
    .replaceAll(/of-(?:http|facade|mcp|cli)\b/g, 'of-door')
    .replaceAll(/"(latencyMsec|durationMs|p50|p95)":\d+/g, '"$1":1')
    .replaceAll(/[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/g, 'an-id')
    .replaceAll(/"attempts":\d+/g, '"attempts":1')
    // A run that was set aside is verified when it is tried again: its failure then says so besides.
    .replaceAll(
      /"failure":"\[DamagedRun\][^"]*\((the price of the order is missing)\)[^"]*"/g,
      '"failure":"$1"',
    )
    .replaceAll(/"token":"[^"]*"/g, '"token":"secret"')
    .replaceAll(/"digest":"[^"]*"/g, '"digest":"of what is shown"')
    // An MCP server may act as a person.
    .replaceAll(/("forkedFrom":\{[^}]*"by":)"(?:operator|ann)"/g, '$1"the caller"')
    .replaceAll(/"hash":"[^"]*"/g, '"hash":"of its definition"')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'then')
    .replaceAll(/(sha256\\":\\")[0-9a-f]{64}(\\"})/g, '$1of its bytes$2');
  return JSON.parse(text) as unknown;
}

function isList(answer: unknown): answer is object {
  return answer !== null && typeof answer === 'object' && 'items' in answer;
}

/** Names of fields that a request must have, besides those of its path. */
function requiredOf(operation: Operation): readonly string[] {
  const { required } = inputSchema(operation);
  return required.filter((name) => !operation.path.includes(`:${name}`));
}

type Content = Readonly<Record<string, { readonly schema: object; readonly example?: unknown }>>;

interface Route {
  readonly operationId?: string;
  readonly parameters?: readonly Content[string][];
  readonly requestBody?: { readonly content: Content };
  readonly responses: { readonly [status: string]: { readonly content?: Content } };
}

/** The client as a page of a browser has it, without the globals of Node. */
async function clientInBrowser(): Promise<typeof client> {
  const { outputFiles } = await build({
    entryPoints: [join(import.meta.dirname, '../../libs/client/index.ts')],
    bundle: true,
    format: 'iife',
    globalName: 'client',
    platform: 'browser',
    write: false,
  });
  const page = createContext({ fetch, URLSearchParams });
  return runInContext(`${outputFiles[0]?.text} client`, page) as typeof client;
}

/** The examples among the members at a location, each with the location of its schema. */
function shownIn(
  at: readonly string[],
  content: Content,
): readonly (readonly [readonly string[], unknown])[] {
  return Object.entries(content).flatMap(([name, { example }]) =>
    example === undefined ? [] : [[[...at, name, 'schema'], example] as const],
  );
}

describe('every declared operation', () => {
  let server: RedialServer;
  let routes: Readonly<Record<string, Readonly<Record<string, Route>>>>;
  const ajv = new Ajv2020({ strict: false, inlineRefs: false, code: { optimize: false } });
  formats.default.default(ajv);

  beforeAll(async () => {
    server = await RedialServer.start({
      script: scriptFor(DOORS),
      options: { workflows, webhooks, masterKey },
    });
    await prepare(server, DOORS);
    const { body } = (await server.get('/openapi.json')) as { body: { paths: typeof routes } };
    ajv.addSchema({ $id: 'api', ...body });
    routes = body.paths;
  });
  afterAll(() => server.stop());

  it('has inputs here', () => {
    expect(Object.keys(inputs).toSorted()).toEqual(operations.map(({ id }) => id).toSorted());
  });

  it.each(operations.map((operation) => [operation.id, operation] as const))(
    '%s answers the same through each of its doors, as the OpenAPI document says (X-C8)',
    async (id, operation) => {
      const isOpen = (door: Door) => door !== 'mcp' || !LEFT_TO_PEOPLE.includes(id);
      const doors = DOORS.filter((door) => hasDoor(operation, door) && isOpen(door));
      const answers: unknown[] = [];
      // Answers that say how far the rows are wait for nothing.
      await server.app.get(ProjectionRunner).caughtUpWithHead(LONG_MS);
      for (const door of doors) {
        const answer = await callThrough(door, server, operation, inputs[id]?.(door) ?? {});
        const paged = door === 'cli' && isList(answer) ? { ...answer, nextCursor: null } : answer;
        expect([door, problemsOf(operation, paged)]).toEqual([door, []]);
        // Each door steps on what the one before it stepped.
        answers.push(Array.isArray(answer) ? answer.length : comparable(answer));
      }
      for (const answer of answers) expect(answer).toEqual(answers[0]);
    },
  );

  it.each(LEFT_TO_PEOPLE)('0.2-H1: %s is refused over MCP, whatever the token', async (id) => {
    const operation = operations.find((one) => one.id === id) as Operation;
    const called = callThrough('mcp', server, operation, inputs[id]?.('mcp') ?? {});
    await expect(called).rejects.toThrow('waits-for-person');
  });

  it('the client bundles for a browser, and calls operations when `fetch` and `URLSearchParams` are the only globals beside the language', async () => {
    const { RedialClient, RedialProblem } = await clientInBrowser();
    const redial = new RedialClient({ url: server.url });
    const machine = {
      machineName: 'browsed',
      initialState: 'closed',
      goalState: 'open',
      states: { closed: { transitions: { push: 'open' } }, open: {} },
    };
    expect(await redial.defineMachine({ machine })).toMatchObject({ machineName: 'browsed', version: 1 });
    const { sessionId } = await redial.createSession({ machineName: 'browsed' });
    const { items } = await redial.listSessions({ machineName: 'browsed', limit: 5 });
    expect(items).toMatchObject([{ sessionId, currentState: 'closed' }]);
    const unknown = redial.getSession({ sessionId: 'none/?&' });
    await expect(unknown).rejects.toBeInstanceOf(RedialProblem);
    await expect(unknown).rejects.toMatchObject({ status: 404, problem: { code: 'unknown-session' } });
  });

  it.each(operations.map((operation) => [operation.id, operation] as const))(
    '%s has an example of its body and of its answer in the OpenAPI document, which fit and show no names of tests',
    (_id, { method, path }) => {
      const at = [path.replaceAll(/:(\w+)/g, '{$1}'), method.toLowerCase()] as const;
      const { parameters = [], requestBody, responses = {} } = routes[at[0]]?.[at[1]] ?? {};
      const answers = Object.entries(responses).filter(([status]) => status.startsWith('2'));
      const ofBody = requestBody ? shownIn(['requestBody', 'content'], requestBody.content) : [];
      const ofAnswer = answers.flatMap(([status, { content = {} }]) =>
        shownIn(['responses', status, 'content'], content),
      );
      const all = [
        ...shownIn(['parameters'], Object.fromEntries(parameters.entries())),
        ...ofBody,
        ...ofAnswer,
      ];
      const problems = all.map(([within, example]) => problemsAt(['paths', ...at, ...within], example));
      expect(problems.flat()).toEqual([]);
      expect(JSON.stringify(all)).not.toMatch(/-of-(?:http|facade|mcp|cli)|scripted/);
      const hasBody = answers.some(([, { content }]) => content !== undefined);
      expect([ofBody.length, ofAnswer.length]).toEqual([requestBody ? 1 : 0, hasBody ? 1 : 0]);
    },
  );

  it.each(operations.filter(({ method }) => method === 'GET').map((one) => [one.id, one] as const))(
    '0.2-V14: %s takes a position, and refuses one that is malformed or of another log',
    async (id, operation) => {
      for (const minPosition of ['nonsense', `other.${'0'.repeat(20)}`]) {
        const asked = callThrough('http', server, operation, { ...inputs[id]?.('http'), minPosition });
        await expect(asked).rejects.toMatchObject({
          status: 400,
          problem: { errors: [{ path: '/minPosition', message: 'is not a position of this log' }] },
        });
      }
    },
  );

  // A definition is checked by its own rules.
  const withFields = operations.filter(({ whole }) => whole === undefined);
  it.each(withFields.map((operation) => [operation.id, operation] as const))(
    '%s refuses a field that it does not have through each of its doors',
    async (id, operation) => {
      for (const door of DOORS.filter((one) => hasDoor(operation, one))) {
        const input = { ...inputs[id]?.(door), painted: 'x' };
        await expect(callThrough(door, server, operation, input)).rejects.toThrow(/painted/);
      }
    },
  );

  it.each(
    withFields.flatMap((operation) =>
      requiredOf(operation).map((name) => [operation.id, name, operation] as const),
    ),
  )('%s refuses a request without its field %s', async (id, name, operation) => {
    const { [name]: _, ...rest } = { ...inputs[id]?.('http') } as Record<string, unknown>;
    await expect(callThrough('http', server, operation, rest)).rejects.toThrow(
      new RegExp(String.raw`\[MalformedRequest\].*/${name} `),
    );
  });

  /** The problems of an answer, by the schema of the document. */
  function problemsOf({ method, path, id }: Operation, answer: unknown): readonly unknown[] {
    const pattern = path.replaceAll(/:(\w+)/g, '{$1}');
    const route = routes[pattern]?.[method.toLowerCase()];
    if (route?.operationId !== id) return [`${id} is not in the document`];
    const problems = Object.entries(route.responses)
      .filter(([status]) => status.startsWith('2'))
      .map(([status, { content = {} }]) => {
        const [type] = Object.keys(content);
        if (type === undefined) return answer === null ? [] : ['an answer where none is documented'];
        const to = ['paths', pattern, method.toLowerCase(), 'responses', status, 'content', type, 'schema'];
        return problemsAt(to, answer);
      });
    return problems.find(({ length }) => length === 0) ?? problems.flat();
  }

  /** The problems of a value, by the schema at a location of the document. */
  function problemsAt(pointer: readonly string[], value: unknown): readonly unknown[] {
    const $ref = `api#/${pointer.map((token) => encodeURIComponent(token.replaceAll('/', '~1'))).join('/')}`;
    const validate = ajv.compile({ $ref });
    return validate(value) ? [] : (validate.errors ?? []);
  }
});
