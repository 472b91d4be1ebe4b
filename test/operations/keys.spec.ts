import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { toolCall } from '#lib/activities/testing';
import { operations } from '#lib/engine';
import { EventLog } from '#lib/event-store';
import { inputSchema, type Operation } from '#lib/operations';
import { RedialServer } from '../support/redial-server.js';
import { callThrough, type Door, DOORS, hasDoor, LEFT_TO_PEOPLE } from './doors.js';
import { inputs, moveOn, prepare, scriptFor, workflows } from './inputs.js';
import { masterKey } from './subjects.js';
import { webhooks } from './parked-deliveries.js';

interface Call {
  readonly operation: Operation;
  readonly door: Door;
  readonly key: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** For operations whose inputs here have no optional member. */
const ANOTHER: Readonly<Record<string, unknown>> = {
  atTurn: '00000000-0000-4000-8000-000000000000',
  payload: { approved: 'perhaps' },
  text: 'Hello again',
  groups: [],
  personId: 'dora',
  exemplars: [{ state: 'offered', transitionName: 'decline', specialistId: 'ann' }],
};

const commands = operations.filter(({ kind }) => kind === 'command');

function isOpen(operation: Operation, door: Door): boolean {
  return hasDoor(operation, door) && (door !== 'mcp' || !LEFT_TO_PEOPLE.includes(operation.id));
}

const calls: readonly Call[] = commands.flatMap((operation) =>
  DOORS.filter((door) => isOpen(operation, door)).map((door) => ({
    operation,
    door,
    key: `${operation.id} through ${door}`,
    get input() {
      return { ...inputs[operation.id]?.(door) } as Record<string, unknown>;
    },
  })),
);

function hasBody({ operation }: Call): boolean {
  const { properties } = inputSchema(operation);
  return Object.keys(properties).some(
    (name) => !operation.pathNames.includes(name) && name !== 'minPosition',
  );
}

/** The same path with another body. */
function withAnotherBody({ operation, input }: Call): object {
  const other = { ...inputs[operation.id]?.('later' as Door) } as Record<string, unknown>;
  const { required } = inputSchema(operation);
  const names = Object.keys(input).filter((name) => !operation.pathNames.includes(name));
  const isOther = (name: string) => JSON.stringify(input[name]) !== JSON.stringify(other[name]);
  const differs = names.find((name) => name in other && isOther(name));
  if (differs !== undefined) return { ...input, [differs]: other[differs] };
  const left = names.find((name) => !required.includes(name));
  if (left !== undefined) return Object.fromEntries(Object.entries(input).filter(([name]) => name !== left));
  return { ...input, ...Object.fromEntries(names.map((name) => [name, ANOTHER[name]])) };
}

describe('0.2-X2 every declared command with an idempotency key', () => {
  let server: RedialServer;
  const answers = new Map<Call, unknown>();

  beforeAll(async () => {
    const script = scriptFor(DOORS);
    server = await RedialServer.start({
      script: (_, index) => script[index] ?? toolCall('a_payment', {}),
      options: { workflows, webhooks, masterKey },
    });
    await prepare(server, DOORS);
    for (const call of calls) answers.set(call, await again(call));
    await moveOn(server, DOORS);
  });
  afterAll(() => server.stop());

  function again({ door, operation, input, key }: Call): Promise<unknown> {
    return callThrough(door, server, operation, input, key);
  }

  async function head(): Promise<unknown> {
    return server.app.get(EventLog).store.head();
  }

  it.each(calls.map((call) => [call.key, call] as const))(
    '%s: the same key and input in a later state give the first answer, and write no event',
    async (_, call) => {
      const before = await head();
      expect(await again(call)).toEqual(answers.get(call));
      expect(await head()).toBe(before);
    },
  );

  it.each(calls.filter(hasBody).map((call) => [call.key, call] as const))(
    '%s: the same key with another input is refused',
    async (_, call) => {
      const input = withAnotherBody(call);
      const before = await head();
      const refused = callThrough(call.door, server, call.operation, input, call.key);
      await expect(refused).rejects.toThrow(/its idempotency key came before with another body/);
      expect(await head()).toBe(before);
    },
  );
});
