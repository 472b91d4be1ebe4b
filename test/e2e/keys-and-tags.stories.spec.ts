import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { describeOnEachEngine } from '../support/places/describe-on-engines.js';
import { approval } from '../support/approval.workflow.js';
import { RedialServer } from '../support/redial-server.js';

/** A kind of what has keys: its path, its id, and the member that names what it is of. */
interface Family {
  readonly path: string;
  readonly id: 'sessionId' | 'runId' | 'conversationId';
  readonly body: object;
  /** The same with another content. */
  readonly otherwise: object;
  /** The key is free there. */
  readonly elsewhere: object;
}

const machine = (machineName: string, states: object) => ({
  machineName,
  initialState: 'open',
  goalState: 'closed',
  states: { open: states, closed: {} },
  specialists: [
    { role: 'proposer', specialistId: `person of ${machineName}`.replaceAll(' ', '-'), isHuman: true },
  ],
});
const agent = (agentName: string) => ({
  agentName,
  model: 'gpt-4o-mini',
  schema: { type: 'object', properties: { name: { type: 'string' } } },
  flows: [{ id: 'talk', title: 'Talk', steps: [{ prompt: 'Talk' }] }],
});
const FAMILIES: readonly (readonly [string, Family])[] = [
  [
    'sessions',
    {
      path: '/v1/sessions',
      id: 'sessionId',
      body: { machineName: 'refunds', metaJson: { amount: 1, cup: { color: 'red', size: 2 } } },
      otherwise: { metaJson: { amount: 2 } },
      elsewhere: { machineName: 'returns' },
    },
  ],
  [
    'runs',
    {
      path: '/v1/runs',
      id: 'runId',
      // A run that still works would move the head.
      body: { workflow: 'approval', input: { item: 'cup' }, waitMs: 5_000 },
      otherwise: { input: { item: 'pot' } },
      elsewhere: { workflow: 'second' },
    },
  ],
  [
    'conversations',
    {
      path: '/v1/conversations',
      id: 'conversationId',
      body: { agentName: 'greeter', initialData: { name: 'Ann' } },
      otherwise: { initialData: { name: 'Bob' } },
      elsewhere: { agentName: 'seller' },
    },
  ],
];

describeOnEachEngine('keys and tags', (emptyPlace) => {
  let server: RedialServer;
  let keys = 0;
  const freshKey = () => `case ${++keys} ü`;

  beforeAll(async () => {
    const workflows = [approval, { ...approval, name: 'second' }];
    server = await RedialServer.start({ place: await emptyPlace(), options: { workflows } });
    await server.post('/v1/people', { personId: 'ann', role: 'reviewer' });
    for (const name of ['refunds', 'returns'])
      await server.post('/v1/machines', machine(name, { transitions: { close: 'closed' } }));
    for (const name of ['greeter', 'seller']) await server.post('/v1/agents', agent(name));
  });
  afterAll(() => server.stop());

  const listed = async (path: string, query: string, id: string) => {
    const { body } = await server.get(`${path}?${query}`);
    return (body.items as readonly Record<string, string>[]).map((item) => item[id]);
  };

  it.each(FAMILIES)('the same key and body again gives what exists: %s', async (_, family) => {
    const { path, id, body } = family;
    const key = freshKey();
    const asked = { ...body, key, tags: { customer: '42' } };
    const first = await server.post(path, asked);
    expect(first.status).toBe(201);
    expect(first.body).toMatchObject({ key, tags: { customer: '42' } });
    const head = await server.head();
    for (const actor of ['ann', undefined]) {
      const again = await server.post(path, Object.fromEntries(Object.entries(asked).toReversed()));
      expect([again.status, again.body[id], actor]).toEqual([200, first.body[id], actor]);
    }
    expect(await server.head()).toBe(head);
    const one = await server.get(`${path}/${first.body[id]}`);
    expect(one.body).toMatchObject({ key, tags: { customer: '42' } });
  });

  it.each(FAMILIES)(
    'another body under a key is refused with the id of what has it: %s',
    async (_, family) => {
      const { path, id, body, otherwise } = family;
      const key = freshKey();
      const first = await server.post(path, { ...body, key, tags: { a: '1' } });
      for (const other of [{ ...otherwise, tags: { a: '1' } }, { tags: { a: '2' } }, {}]) {
        const refused = await server.post(path, { ...body, key, ...other });
        expect([refused.status, refused.body.code, refused.body[id]]).toEqual([
          409,
          'key-taken',
          first.body[id],
        ]);
      }
    },
  );

  it.each(FAMILIES)('a key is unique for each machine, workflow and agent alone: %s', async (_, family) => {
    const { path, id, body, elsewhere } = family;
    const key = freshKey();
    const first = await server.post(path, { ...body, key });
    const other = await server.post(path, { ...body, ...elsewhere, key });
    expect(other.status).toBe(201);
    expect(await listed(path, `key=${encodeURIComponent(key)}`, id)).toEqual([
      other.body[id],
      first.body[id],
    ]);
  });

  it.each(FAMILIES)('lists what has an id that begins so, with a key or without: %s', async (_, family) => {
    const { path, id, body } = family;
    const key = freshKey();
    const made = (await server.post(path, { ...body, key })).body[id] as string;
    const others = await Promise.all([1, 2, 3].map(() => server.post(path, { ...body, key: freshKey() })));
    const ids = [...others.map((other) => other.body[id] as string), made];
    for (const start of [made, made.slice(0, 13), made.slice(0, 2)]) {
      const found = await listed(path, `idPrefix=${start}&limit=500`, id);
      expect(found).toContain(made);
      expect(found.filter((one) => one?.startsWith(start))).toEqual(found);
      const theirs = ids.filter((one) => one.startsWith(start));
      expect(found.filter((one) => ids.includes(one ?? ''))).toHaveLength(theirs.length);
    }
    expect(await listed(path, `idPrefix=${made.slice(0, 4)}&key=${encodeURIComponent(key)}`, id)).toEqual([
      made,
    ]);
    expect(await listed(path, `idPrefix=${made.slice(0, 35)}-`, id)).toEqual([]);
    expect((await server.get(`${path}?idPrefix=x`)).status).toBe(400);
  });

  it.each(FAMILIES)('calls at once under one key make one: %s', async (_, family) => {
    const { path, id, body } = family;
    const key = freshKey();
    const all = await Promise.all(Array.from({ length: 8 }, () => server.post(path, { ...body, key })));
    expect(all.map(({ status }) => String(status)).toSorted()).toEqual([
      ...Array<string>(7).fill('200'),
      '201',
    ]);
    expect(new Set(all.map((answer) => answer.body[id])).size).toBe(1);
  });

  it.each(FAMILIES)('an idempotency key beside it repeats its own first answer: %s', async (_, family) => {
    const { path, id, body, otherwise } = family;
    const [one, other] = [freshKey(), freshKey()];
    const as = (name: string) => ({ 'idempotency-key': `${name} ${keys}` });
    const first = await server.post(path, { ...body, key: one }, as('a'));
    const found = await server.post(path, { ...body, key: one }, as('b'));
    expect([first.status, found.status, found.body[id]]).toEqual([201, 200, first.body[id]]);
    expect((await server.post(path, { ...body, key: one }, as('a'))).status).toBe(201);
    expect((await server.post(path, { ...body, key: one }, as('b'))).status).toBe(200);
    for (const changed of [{ key: other }, { key: one, ...otherwise }]) {
      const reused = await server.post(path, { ...body, ...changed }, as('a'));
      expect([reused.status, reused.body.code]).toEqual([422, 'idempotency-key-reused']);
    }
  });

  it.each(FAMILIES)('lists take tags, each as name:value, and a key: %s', async (_, family) => {
    const { path, id, body } = family;
    const made = [];
    for (const tags of [
      { 'a:b': 'c', n: `${keys}` },
      { a: 'b:c', n: `${keys}`, more: 'yes' },
      { n: 'other' },
    ])
      made.push((await server.post(path, { ...body, tags })).body[id]);
    const [first, second] = made;
    const n = `tag=n:${keys}`;
    expect(await listed(path, n, id)).toEqual([second, first]);
    expect(await listed(path, `${n}&tag=more:yes`, id)).toEqual([second]);
    expect(await listed(path, `${n}&tag=a:b:c`, id)).toEqual([second, first]);
    expect(await listed(path, `${n}&tag=n:none`, id)).toEqual([]);
    expect(await listed(path, 'key=nobody', id)).toEqual([]);
    for (const malformed of ['tag=n', 'tag=', `${n}&tag=more`])
      expect(await server.get(`${path}?${malformed}`)).toMatchObject({
        status: 400,
        body: {
          errors: expect.arrayContaining([
            { path: expect.stringMatching(/^\/tag/), message: 'must match :' },
          ]),
        },
      });
    const page = (await server.get(`${path}?${n}&limit=1`)).body;
    expect(await listed(path, `${n}&limit=1&cursor=${page.nextCursor}`, id)).toEqual([first]);
  });

  it.each(FAMILIES)('keys and tags out of bounds are malformed: %s', async (_, { path, body }) => {
    const long = 'x'.repeat(201);
    const many = Object.fromEntries(Array.from({ length: 21 }, (__, n) => [`t${n}`, '']));
    const wrong = ['', long, 'a\nb', '\u2028', '\ud800'].map((key) => ({ key }));
    const tags = [many, { a: long }, { [long]: '' }, { a: 1 }, []].map((one) => ({ tags: one }));
    for (const one of [...wrong, ...tags])
      expect([one, (await server.post(path, { ...body, ...one })).status]).toEqual([one, 400]);
    const most = Object.fromEntries(Array.from({ length: 20 }, (__, n) => [`t${n}`, '😀'.repeat(200)]));
    expect((await server.post(path, { ...body, key: `😀${freshKey()}`, tags: most })).status).toBe(201);
  });

  it('a key holds over versions of a machine and after the end; a version that the body names is that of the session', async () => {
    const key = freshKey();
    const body = { machineName: 'moved', key };
    await server.post('/v1/machines', machine('moved', { transitions: { close: 'closed' } }));
    const { sessionId } = (await server.post('/v1/sessions', body)).body;
    await server.post('/v1/machines', machine('moved', { transitions: { end: 'closed' } }));
    const end = { transitionName: 'close', toState: 'closed' };
    expect((await server.post(`/v1/sessions/${sessionId}/transitions`, end)).status).toBe(200);
    const again = await server.post('/v1/sessions', body);
    expect([again.status, again.body.sessionId, again.body.status]).toEqual([200, sessionId, 'done']);
    expect((await server.post('/v1/sessions', { ...body, machineVersion: 2 })).body.code).toBe('key-taken');
    const { body: inline } = await server.post('/v1/sessions', { machine: machine('own', {}), key });
    expect(inline).toMatchObject({ status: 400, errors: [{ path: '/key' }] });
  });

  it('a fork has the tags of its session, and no key', async () => {
    const key = freshKey();
    const body = { machineName: 'refunds', key, tags: { of: key } };
    const { sessionId, revision } = (await server.post('/v1/sessions', body)).body;
    const fork = (await server.post(`/v1/sessions/${sessionId}/forks`, { atRevision: revision })).body;
    expect(fork).toMatchObject({ tags: { of: key } });
    expect(fork).not.toHaveProperty('key');
    expect((await server.post('/v1/sessions', body)).body.sessionId).toBe(sessionId);
    const query = (name: string) => listed('/v1/sessions', `${name}${encodeURIComponent(key)}`, 'sessionId');
    expect(await query('key=')).toEqual([sessionId]);
    expect(await query('tag=of:')).toEqual([fork.sessionId, sessionId]);
    expect((await server.post(`/v1/sessions/${fork.sessionId}/replay`)).body.identical).toBe(true);
  });

  it('tasks show the key and the tags of what they work for, and are found by the key', async () => {
    const key = freshKey();
    const labels = { key, tags: { of: 'tasks' } };
    const session = (await server.post('/v1/sessions', { machineName: 'refunds', ...labels })).body;
    await server.post(`/v1/sessions/${session.sessionId}/run`);
    const asked = { workflow: 'approval', input: { item: 'cup' }, waitMs: 60_000, ...labels };
    await server.post('/v1/runs', asked);
    await server.post('/v1/sessions', { machineName: 'refunds', key: freshKey() });
    const { body } = await server.get(`/v1/tasks?key=${encodeURIComponent(key)}`);
    const tasks = body.items as readonly { readonly kind: string; readonly about: object }[];
    expect(tasks.map(({ kind }) => kind).toSorted()).toEqual(['approval', 'decision']);
    for (const { about } of tasks) expect(about).toMatchObject(labels);
    expect((await server.get('/v1/tasks?key=none')).body.items).toEqual([]);
  });
});
