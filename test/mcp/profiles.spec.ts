import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { operations, Redial } from '#lib/engine';
import { mcpToolOf } from '#lib/operations';
import type { Connection } from '../../apps/mcp/src/connection.js';
import { type CallOperation, callsOfEngine, callsOfServer } from '../../apps/mcp/src/tool-calls.js';
import { profiles } from '../../apps/mcp/src/profiles.js';
import { lenders, loans } from '../support/loans.js';
import { API_TOKEN, RedialServer } from '../support/redial-server.js';
import { callTool, type ConnectedClient, connectOverStdio } from './mcp-client.js';

const PROPOSE = ['create_session', 'submit_proposal', 'tick_session', 'run_session', 'invoke_gate'];
const DESTRUCTIVE = [
  'submit_arbitration',
  'execute_transition',
  'close_session',
  'signal_run',
  'signal_turn',
  'disable_specialist',
  'delete_gate',
];
/** Left to the other doors: people and their tokens, imports, and what concerns all records. */
const WITHOUT_TOOL = [
  'answerTask',
  'assignTask',
  'claimTask',
  'commentTask',
  'deletePerson',
  'deleteHook',
  'dropDelivery',
  'eraseSubject',
  'exportContent',
  'exportDataset',
  'extendTask',
  'forkHistory',
  'getConversationHistory',
  'getConversationProof',
  'getDecisionDays',
  'getHook',
  'getLatestSeal',
  'getPrincipal',
  'getRunHistory',
  'getRunProof',
  'getSessionHistory',
  'getSessionProof',
  'getSubject',
  'importExemplars',
  'listEvents',
  'listHookDeliveries',
  'listHooks',
  'listParkedDeliveries',
  'listProjections',
  'listReactions',
  'listSeals',
  'registerHook',
  'registerPerson',
  'releaseTask',
  'replacePersonGroups',
  'replacePersonToken',
  'retryDelivery',
  'retryHookDelivery',
  'sealLog',
  'testHook',
  'tickAll',
];
const WAITS = { status: 409, code: 'waits-for-person' };
const ROLE = { status: 403, code: 'role' };
const human = { role: 'proposer', specialistId: 'ann', isHuman: true };

describe.each([
  ['an engine in the process', API_TOKEN, ({ app }) => callsOfEngine(app.get(Redial))],
  ['a server (X-D11)', API_TOKEN, ({ url }) => callsOfServer({ url, token: API_TOKEN })],
  ['a server that asks for no token', undefined, ({ url }) => callsOfServer({ url })],
] as [string, string | undefined, (server: RedialServer) => CallOperation][])(
  'the profiles of MCP, with the tools of %s',
  (place, apiToken, callsOf) => {
    let server: RedialServer;
    let redial: Redial;
    let machineName: string;
    let actorToken: string;
    let connected: ConnectedClient | undefined;

    beforeAll(async () => {
      server = await RedialServer.start({
        environment: { REDIAL_API_TOKEN: apiToken },
        options: { strategies: lenders },
      });
      redial = server.app.get(Redial);
      const { actorTokens } = await redial.defineMachine(loans);
      actorToken = actorTokens?.['boss'] ?? '';
    });
    afterAll(() => server.stop());

    /** Each test has a machine of its own, and so specialists and decisions of its own; the boss is one person. */
    beforeEach(async () => {
      machineName = `loans-${randomUUID()}`;
      await redial.defineMachine({ ...loans, machineName });
    });

    afterEach(async () => {
      await connected?.close();
      connected = undefined;
    });

    async function connect(connection: Connection): Promise<Client> {
      connected = await connectOverStdio(callsOf(server), connection);
      return connected.client;
    }

    /** A session whose round waits for a person. */
    async function waiting(): Promise<string> {
      const { sessionId, status } = await redial.runSession({ machineName });
      expect(status).toBe('needs_human');
      return sessionId;
    }

    const eventsOf = async (sessionId: string) => (await redial.listSessionEvents({ sessionId })).items;

    it('X-T2: offers only reading tools to `observe`, more to `propose`, and all to `operate`', async () => {
      const withTool = operations.filter(({ id }) => !WITHOUT_TOOL.includes(id));
      const all = withTool.map((operation) => mcpToolOf(operation).name);
      const reading = all.filter((name) =>
        /^(get|list|count|evaluate_consensus|replay|validate|prove|simulate|why|diff)/.test(name),
      );
      const offered: { [profile: string]: readonly string[] } = {};
      for (const profile of profiles) {
        const { tools: listed } = await (await connect({ profile, groups: ['all'] })).listTools();
        offered[profile] = listed.map(({ name }) => name).toSorted();
        for (const { name, annotations } of listed) {
          const isReading = reading.includes(name);
          expect([name, annotations]).toMatchObject([
            name,
            {
              readOnlyHint: isReading,
              destructiveHint: DESTRUCTIVE.includes(name) || /^(delete|disable|cancel)_|give_up/.test(name),
              openWorldHint: !isReading,
            },
          ]);
        }
        await connected?.close();
      }
      connected = undefined;
      expect(offered).toEqual({
        observe: reading.toSorted(),
        propose: [...reading, ...PROPOSE].toSorted(),
        operate: all.toSorted(),
      });
    });

    it('X-T2: runs no tool that the profile does not offer', async () => {
      const sessionId = await waiting();
      const before = await server.head();
      const client = await connect({ profile: 'observe', actorToken });
      for (const name of [...PROPOSE, ...DESTRUCTIVE, 'define_machine', 'register_specialist']) {
        expect(await callTool(client, name, { sessionId })).toMatchObject({
          isError: true,
          text: expect.stringContaining(`${name} is not a tool of the profile observe`),
        });
      }
      expect(await server.head()).toBe(before);
    });

    it('names a misspelt member in place of an id that is missing', async () => {
      const client = await connect({ profile: 'observe' });
      const { text } = await callTool(client, 'get_session', { session: 'x' });
      expect(text).toContain('/session is unknown: there is no property');
    });

    it('refuses a key that is not a text, and one for a tool that only reads', async () => {
      const client = await connect({ profile: 'operate' });
      const { text } = await callTool(client, 'create_session', { machineName, idempotencyKey: 5 });
      expect(text).toContain('"code":"malformed-key"');
      const read = await callTool(client, 'list_sessions', { idempotencyKey: 'k' });
      expect(read.text).toContain('/idempotencyKey is unknown');
    });

    it("X-T2: gives nobody a person's token", async () => {
      const client = await connect({ profile: 'operate' });
      const machine = { ...loans, machineName: 'others', specialists: [human] };
      const gate = { gateId: 'g', prompt: '?', choices: { yes: {}, no: {} } };
      const answers = [
        await callTool(client, 'define_machine', { machine }),
        await callTool(client, 'register_specialist', {
          role: 'proposer',
          machineName,
          specialistId: 'eve',
          isHuman: true,
        }),
        await callTool(client, 'create_session', {
          machine: { ...machine, machineName: 'along', specialists: [{ ...human, specialistId: 'bob' }] },
        }),
        await callTool(client, 'create_gate', {
          gate: { ...gate, specialists: [{ ...human, specialistId: 'joe' }] },
        }),
      ];
      for (const { isError, text } of answers)
        expect([isError, text]).toEqual([false, expect.not.stringMatching(/token/i)]);
    });

    it('X-T2: takes who acts from the connection, never from the arguments of a tool', async () => {
      const sessionId = await waiting();
      const forced = { sessionId, specialistId: 'boss', transitionName: 'approve' };
      const client = await connect({ profile: 'operate' });
      expect(await callTool(client, 'submit_arbitration', { ...forced, actorToken })).toMatchObject({
        isError: true,
        text: expect.stringContaining('actorToken'),
      });
      const proposal = { sessionId, specialistId: 'boss', transitionName: 'approve' };
      await connected?.close();
      const bound = await connect({ profile: 'operate', as: ['boss'] });
      expect(await callTool(bound, 'submit_proposal', proposal)).toMatchObject({
        isError: true,
        value: { status: 403, code: 'not-that-human' },
      });
    });

    it('0.2-H1: nobody forces a decision over MCP, in any profile and with any token', async () => {
      const waitingSession = await waiting();
      const { sessionId: fresh } = await redial.createSession({ machineName });
      const head = await server.head();
      const client = await connect({ profile: 'operate', actorToken, as: ['boss'] });
      for (const sessionId of [waitingSession, fresh]) {
        const forced = { sessionId, specialistId: 'boss', transitionName: 'approve' };
        expect(await callTool(client, 'submit_arbitration', forced)).toMatchObject({
          isError: true,
          value: { status: 409, code: 'waits-for-person' },
        });
      }
      expect(await server.head()).toBe(head);
    });

    it('0.2-H7: states proposals only for the specialists that the connection is bound to, by default for none', async () => {
      const { sessionId } = await redial.createSession({ machineName });
      const state = (client: Client, specialistId: string) =>
        callTool(client, 'submit_proposal', { sessionId, specialistId, transitionName: 'approve' });
      const head = await server.head();
      for (const as of [undefined, ['generous']]) {
        const client = await connect({ profile: 'operate', ...(as && { as }) });
        expect(await state(client, 'prudent')).toMatchObject({
          isError: true,
          value: { status: 403, code: 'not-bound' },
        });
        await connected?.close();
      }
      expect(await server.head()).toBe(head);
      const client = await connect({ profile: 'propose', as: ['generous', 'prudent'] });
      for (const specialistId of ['generous', 'prudent'])
        expect((await state(client, specialistId)).isError).toBe(false);
    });

    it.each([
      ['propose', {}],
      ['propose', { asBoss: true }],
      ['operate', {}],
      ['operate', { asBoss: true }],
    ] as const)(
      'X-T2: leaves a round that waits for a person to people: %s %j',
      async (profile, { asBoss }: { asBoss?: boolean }) => {
        const sessionId = await waiting();
        const shown = { groups: ['all'], ...(asBoss && { actorToken }) };
        const client = await connect({ profile, as: ['prudent'], ...shown });
        // Beside no server token a reviewer's token takes the rights of an operator.
        const isLowered = asBoss === true && place === 'a server that asks for no token';
        const head = await server.head();
        const offered = new Set((await client.listTools()).tools.map(({ name }) => name));
        const proposal = { sessionId, specialistId: 'prudent', transitionName: 'approve' };
        for (const [name, given] of [
          ['submit_proposal', proposal],
          ['submit_proposal', { sessionId, specialistId: 'generous' }],
          ['tick_session', { sessionId }],
          ['run_session', { sessionId }],
          ['submit_arbitration', { sessionId }],
        ] as const) {
          if (!offered.has(name)) continue;
          const stepping = name === 'tick_session' || name === 'run_session';
          expect([name, await callTool(client, name, given)]).toEqual([
            name,
            expect.objectContaining({
              isError: true,
              value: expect.objectContaining(isLowered && stepping ? ROLE : WAITS),
            }),
          ]);
        }
        expect(await server.head()).toBe(head);
      },
    );

    it('answers a repeat of a keyed step as the first time, even when the round has come to wait for a person', async () => {
      const client = await connect({ profile: 'propose' });
      const { value } = await callTool(client, 'create_session', { machineName });
      const run = { sessionId: value?.['sessionId'], idempotencyKey: 'k' };
      const first = await callTool(client, 'run_session', run);
      expect(first.value).toMatchObject({ status: 'needs_human' });
      expect(await callTool(client, 'run_session', run)).toEqual(first);
    });

    it("X-T2: records what an operator decides in place of a person as the operator's", async () => {
      const sessionId = await waiting();
      const client = await connect({ profile: 'operate' });
      const transition = { sessionId, transitionName: 'approve', toState: 'closed' };
      expect((await callTool(client, 'execute_transition', transition)).isError).toBe(false);
      const { value } = await callTool(client, 'get_decision_log', {
        machineName,
        sessionId,
      });
      expect(value).toMatchObject({ items: [{ how: 'operator' }] });
      const types = (await eventsOf(sessionId)).map(({ type }) => type);
      expect(types).not.toContain('HumanOverrideAccepted');
    });
  },
);
