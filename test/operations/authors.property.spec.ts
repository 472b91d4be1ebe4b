import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { operations } from '#lib/engine';
import { callOverHttp } from '#lib/client';
import type { Operation } from '#lib/operations';
import { RedialServer } from '../support/redial-server.js';
import { inputs, prepare, scriptFor, workflows } from './inputs.js';
import { masterKey } from './subjects.js';
import { webhooks } from './parked-deliveries.js';

const NAMES = ['the-ceo', 'ann', 'dora', 'operator', 'redial', 5, null] as const;
/** The members by which a body could name an author. */
const MEMBERS = ['by', 'actAs', 'approvedBy', 'decidedBy', 'author', 'actor', 'personId', 'caller'] as const;
const CALLERS = ['nobody', 'viewer', 'reviewer', 'operator'] as const;

const commands = operations.filter(({ kind }) => kind === 'command');

interface Case {
  readonly operation: Operation;
  readonly member: (typeof MEMBERS)[number];
  readonly name: (typeof NAMES)[number];
  readonly caller: (typeof CALLERS)[number];
  readonly inside: boolean;
}

/** Authors that the data of an event names. */
function authorsIn(data: object): readonly unknown[] {
  const { by, payload } = data as { by?: unknown; payload?: unknown };
  const inner =
    typeof payload === 'object' && payload !== null ? (payload as { by?: unknown }).by : undefined;
  return [by, inner].filter((author) => author !== undefined);
}

describe('invariant 3: the author is the principal', () => {
  let server: RedialServer;
  const tokens: Record<string, string | undefined> = {};

  beforeAll(async () => {
    server = await RedialServer.start({
      script: scriptFor(['http']),
      options: { workflows, webhooks, masterKey },
    });
    await prepare(server, ['http']);
    for (const role of CALLERS.slice(1)) {
      const { body } = await server.post('/v1/people', { personId: `p-${role}`, role });
      tokens[role] = (body as { token: string }).token;
    }
  });
  // Commands that are refused leave replies of the scripted model unasked.
  afterAll(() => server.stop().catch(() => undefined));

  const call = (operation: Operation, input: object, caller: string) => {
    const actorToken = tokens[caller];
    const from = { url: server.url, ...(actorToken !== undefined && { actorToken }) };
    return callOverHttp(from, operation, input).then(
      () => undefined,
      () => undefined,
    );
  };

  it('0.2-H1: no command of any door names an author whom the token does not prove, whatever its body says', async () => {
    // The forged authors that 0.2 accepted come first, because each answer waits once.
    const forged = commands.flatMap((operation) =>
      operation.answer === undefined
        ? []
        : [[{ operation, member: 'by', name: 'the-ceo', caller: 'nobody', inside: true }] as [Case]],
    );
    const cases: fc.Arbitrary<Case> = fc.record({
      operation: fc.constantFrom(...commands),
      member: fc.constantFrom(...MEMBERS),
      name: fc.constantFrom(...NAMES),
      caller: fc.constantFrom(...CALLERS),
      inside: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(cases, async ({ operation, member, name, caller, inside }) => {
        const given = inputs[operation.id]?.('http') ?? {};
        const field = operation.whole ?? (inside ? operation.answer : undefined);
        const within = field === undefined ? undefined : (Reflect.get(given, field) as object);
        const input =
          field === undefined
            ? { ...given, [member]: name }
            : { ...given, [field]: { ...within, [member]: name } };
        const before = await server.log.store.head();
        await call(operation, input, caller);
        const events = await server.log.store.readAll({ limit: 10_000 });
        const since = events.filter(({ position }) => before === undefined || position > before);
        const principal = caller === 'nobody' ? 'operator' : `p-${caller}`;
        // On a server without a token `actAs` and the person of a human specialist stand in for the operator, who is recorded.
        const standsIn = caller === 'nobody' ? ['ann', 'dora'] : [];
        for (const { data, metadata } of since) {
          const named = authorsIn(typeof data === 'string' ? (JSON.parse(data) as object) : data);
          const { actor = 'redial' } = (typeof metadata === 'string' ? JSON.parse(metadata) : metadata) as {
            actor?: string;
          };
          expect([principal, 'redial']).toContain(actor);
          // The engine is the author of what it does itself, such as closing the sessions of an erased subject.
          const authors = actor === 'redial' ? [principal, ...standsIn, 'redial'] : [principal, ...standsIn];
          for (const author of named) expect(authors).toContain(author);
        }
      }),
      { numRuns: 200, examples: forged },
    );
  });
});
