import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { toolCall } from '#lib/activities/testing';
import { RedialServer } from '../support/redial-server.js';

/** As JSON has it: a member `__proto__` is one like any other. */
const json = (text: string) => JSON.parse(text) as Record<string, unknown>;
const read = (value: unknown) => JSON.stringify(value);

const ARGUMENTS = '{"__proto__":1,"constructor":"c","toString":2}';
const machine = json(`{
  "machineName": "constructor",
  "initialState": "constructor",
  "goalState": "valueOf",
  "people": { "groups": ["hasOwnProperty"], "priority": 77 },
  "states": {
    "constructor": {
      "prompt": "Which?",
      "transitions": {
        "toString": { "target": "__proto__", "description": "the model's", "onInvalidArguments": "reject", "parameters": {
          "type": "object", "properties": { "__proto__": { "type": "integer" }, "constructor": { "type": "string" }, "toString": { "type": "integer" } },
          "required": ["constructor", "__proto__"], "additionalProperties": false } },
        "__proto__": "valueOf"
      }
    },
    "__proto__": { "prompt": "And now?", "transitions": { "constructor": { "target": "valueOf", "needsPerson": true } } },
    "valueOf": {}
  },
  "specialists": [
    { "role": "proposer", "specialistId": "toString", "modelId": "gpt-4o-mini", "contextTemplate": "{{metaJson.constructor}}" }
  ]
}`);

describe('names that every object inherits', () => {
  let server: RedialServer;
  let sessionId: string;

  beforeAll(async () => {
    server = await RedialServer.start({
      script: [toolCall('toString', json(ARGUMENTS)), toolCall('constructor', {})],
    });
    await server.post('/v1/people', {
      personId: 'constructor',
      role: 'reviewer',
      groups: ['hasOwnProperty'],
    });
    expect((await server.post('/v1/machines', machine)).status).toBe(201);
    const metaJson = json('{"constructor":"of the session","__proto__":{"a":1}}');
    const created = await server.post('/v1/sessions', { machineName: 'constructor', metaJson });
    ({ sessionId } = created.body as { sessionId: string });
    await server.post(`/v1/sessions/${sessionId}/run`, {});
  });
  afterAll(() => server.stop());

  it('0.2-V14: are names like any others of states, transitions, arguments, machines, specialists, people and groups', async () => {
    const { body } = await server.get(`/v1/sessions/${sessionId}`);
    expect(body).toMatchObject({
      currentState: '__proto__',
      status: 'needs_human',
      machineName: 'constructor',
    });
    expect(read(body.metaJson)).toBe('{"constructor":"of the session","__proto__":{"a":1}}');
    const [first] = body.history as { metaJson: object }[];
    expect(first).toMatchObject({
      transitionName: 'toString',
      fromState: 'constructor',
      toState: '__proto__',
    });
    expect(read(first?.metaJson)).toBe(ARGUMENTS);
    expect(read(server.llm.requests[0]?.body)).toContain('of the session');
  });

  it('0.2-V14: are names of people with tasks, whose policy is that of the machine and not a member of an object', async () => {
    const { items } = (await server.get(`/v1/tasks?sessionId=${sessionId}`)).body;
    expect(items).toMatchObject([
      {
        priority: 77,
        candidates: { groups: ['hasOwnProperty'] },
        choices: [{ transitionName: 'constructor', toState: 'valueOf' }],
      },
    ]);
  });

  it('0.2-V14: are unknown parameters that an error names', async () => {
    for (const name of ['constructor', '__proto__', 'toString'])
      expect(await server.get(`/v1/sessions?${name}=1`)).toMatchObject({
        status: 400,
        body: { errors: [{ path: `/${name}` }] },
      });
  });

  it('0.2-V14: replay identical, and are in the rows', async () => {
    expect((await server.post(`/v1/sessions/${sessionId}/replay`)).body).toMatchObject({ identical: true });
    const decisions = (await server.get('/v1/machines/constructor/decisions')).body;
    expect(decisions.items).toMatchObject([{ fromState: 'constructor', transitionName: 'toString' }]);
    const { items } = (await server.get('/v1/sessions?machineName=constructor&currentState=__proto__')).body;
    expect(items).toHaveLength(1);
    expect((await server.get('/v1/specialists/toString')).body.alignment).toEqual([]);
  });
});
