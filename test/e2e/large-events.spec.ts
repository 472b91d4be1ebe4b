import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { approval } from '../support/approval.workflow.js';
import { RedialServer } from '../support/redial-server.js';

const MARK = 'the end of a large text';
const LARGE = `${'x'.repeat(100_000)}${MARK}`;

interface Listed {
  readonly stream: string;
  readonly revision: number;
  readonly data: Readonly<Record<string, unknown>>;
  readonly leftOut?: readonly string[];
}

describe('events with more data than a list is asked for', () => {
  let server: RedialServer;
  /** The path of each, the member that is large, and the type of the event that has it. */
  const subjects: Record<string, readonly [path: string, member: string]> = {};

  beforeAll(async () => {
    server = await RedialServer.start({ options: { workflows: [approval] } });
    await server.post('/v1/machines', {
      machineName: 'notes',
      initialState: 'open',
      goalState: 'closed',
      states: { open: { transitions: { close: 'closed' } }, closed: {} },
    });
    const agent = {
      agentName: 'clerk',
      model: 'gpt-4o-mini',
      flows: [{ id: 'a', title: 'A', steps: [{ prompt: 'Talk' }] }],
    };
    const schema = { type: 'object', properties: { text: { type: 'string' } } };
    await server.post('/v1/agents', { ...agent, schema });
    const made = async (path: string, body: object, id: string) =>
      `${path}/${(await server.post(path, body)).body[id] as string}`;
    const session = { machineName: 'notes', metaJson: { text: LARGE } };
    const run = { workflow: 'approval', input: { item: LARGE }, waitMs: 5_000 };
    const conversation = { agentName: 'clerk', initialData: { text: LARGE } };
    Object.assign(subjects, {
      session: [await made('/v1/sessions', session, 'sessionId'), 'metaJson'],
      run: [await made('/v1/runs', run, 'runId'), 'input'],
      conversation: [await made('/v1/conversations', conversation, 'conversationId'), 'data'],
    });
  });
  afterAll(() => server.stop());

  const events = async (path: string, query: string): Promise<readonly Listed[]> => {
    const { status, body } = await server.get(`${path}/events?${query}`);
    expect(status).toBe(200);
    return body.items as readonly Listed[];
  };

  it.each(['session', 'run', 'conversation'])(
    'are listed without their largest members, and are whole by their name: %s',
    async (kind) => {
      const [path, member] = subjects[kind] ?? ['', ''];
      const [whole] = await events(path, 'limit=1');
      expect(JSON.stringify(whole)).toContain(MARK);
      const [lean] = await events(path, 'limit=1&maxDataBytes=65536');
      expect(JSON.stringify(lean)).not.toContain(MARK);
      expect(lean?.leftOut).toEqual([member]);
      const { [member]: _, ...others } = whole?.data ?? {};
      expect(lean).toEqual({ ...whole, data: others, leftOut: [member] });
      const name = `${lean?.stream}@${lean?.revision}`;
      expect(await events(path, `event=${name}`)).toEqual([whole]);
      expect(await events(path, `event=${name}&maxDataBytes=65536`)).toEqual([lean]);
      expect(await events(path, `event=${lean?.stream}@999`)).toEqual([]);
      const refused = ['event=nothing', `event=${lean?.stream}@-1`, 'maxDataBytes=-1'];
      for (const query of refused) expect((await server.get(`${path}/events?${query}`)).status).toBe(400);
    },
  );

  it('are not found below another subject, nor in streams that are of none', async () => {
    const names = await Promise.all(
      Object.values(subjects).map(async ([path]) => (await events(path, 'limit=1'))[0]?.stream ?? ''),
    );
    for (const [index, [path]] of Object.values(subjects).entries()) {
      for (const stream of names.filter((_, other) => other !== index))
        expect(await events(path, `event=${stream}@0`)).toEqual([]);
      expect(await events(path, 'event=redial_call-00000000-0000-4000-8000-000000000001@0')).toEqual([]);
      const gone = path.replace(/[^/]+$/, '00000000-0000-4000-8000-000000000002');
      expect((await server.get(`${gone}/events?event=${names[index]}@0`)).status).toBe(404);
    }
  });

  it('of a past moment are those that it had', async () => {
    const [path = ''] = subjects['session'] ?? [];
    const [first] = await events(path, 'limit=1');
    await server.post(`${path}/transitions`, {
      transitionName: 'close',
      toState: 'closed',
      reasoning: 'Done',
    });
    expect(await events(path, `event=${first?.stream}@1`)).toHaveLength(1);
    expect(await events(path, `at=0&event=${first?.stream}@1`)).toEqual([]);
    expect(await events(path, `at=0&event=${first?.stream}@0`)).toHaveLength(1);
  });
});
