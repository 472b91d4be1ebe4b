import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { toolCall } from '#lib/activities/testing';
import { RedialServer } from '../support/redial-server.js';

function machine(machineName: string, parameters: object, contextTemplate = 'x') {
  const pay = { target: 'closed', parameters, onInvalidArguments: 'reject' };
  const states = { open: { transitions: { pay } }, closed: {} };
  const proposer = { role: 'proposer', specialistId: `${machineName}-model`, modelId: 'm', contextTemplate };
  return { machineName, initialState: 'open', goalState: 'closed', states, specialists: [proposer] };
}

describe('what authors wrote, run on what models answer', () => {
  let server: RedialServer;
  beforeAll(async () => {
    const poisoned = toolCall('pay', { x: `${'a'.repeat(60)}!` });
    server = await RedialServer.start({ script: [poisoned, toolCall('pay', { x: 'aa' })] });
  });
  afterAll(() => server.stop());

  const post = (path: string, body: object) => server.http.post(path).send(body);
  async function propose(name: string, metaJson?: object) {
    const session = await post('/v1/sessions', { machineName: name, metaJson });
    const { sessionId } = session.body as { sessionId: string };
    return post(`/v1/sessions/${sessionId}/proposals`, { specialistId: `${name}-model` });
  }

  it('X-S1: a poisoned reply is a failed proposal, and the next one is read', async () => {
    const pattern = { type: 'object', properties: { x: { type: 'string', pattern: '^(a+)+$' } } };
    await post('/v1/machines', machine('pattern', pattern)).expect(201);
    const failed = await propose('pattern');
    expect([failed.status, failed.body]).toMatchObject([502, { kind: 'invalid-arguments' }]);
    expect((await propose('pattern')).status).toBe(201);
  });

  it('X-S9: a template over its bounds is refused without a call', async () => {
    const levels = 7;
    const template = `${'{{#metaJson.a}}'.repeat(levels)}x${'{{/metaJson.a}}'.repeat(levels)}`;
    await post('/v1/machines', machine('template', { type: 'object' }, template)).expect(201);
    const calls = server.llm.requests.length;
    const refused = await propose('template', { a: Array.from({ length: 12 }, (_, n) => n) });
    expect([refused.status, refused.body]).toMatchObject([422, { code: 'template-too-large' }]);
    expect(server.llm.requests).toHaveLength(calls);
  });

  it('X-S3: schemas over their limits are refused with a pointer, by validation and by definition', async () => {
    const properties = Object.fromEntries(
      Array.from({ length: 3_000 }, (_, n) => [`p${n}`, { type: 'string', pattern: `^${n}[a-z]{1,20}$` }]),
    );
    const body = machine('many', { type: 'object', properties });
    const pointer = expect.stringMatching(
      /^\/states\/open\/transitions\/pay\/parameters\/properties\/p\d+\/pattern$/,
    ) as unknown;
    const report = await post('/v1/machines/validate', body).expect(200);
    expect(report.body).toMatchObject({
      valid: false,
      errors: expect.arrayContaining([expect.objectContaining({ path: pointer })]) as unknown,
    });
    await post('/v1/machines', body).expect(422);
  });

  it('X-D5: defining answers what is legal and probably not meant', async () => {
    const warned = { properties: { a: { type: 'string', minLength: 3, maxLength: 1 } }, required: ['a'] };
    const answer = await post('/v1/machines', machine('warned', { type: 'object', ...warned })).expect(201);
    expect(answer.body).toMatchObject({
      warnings: [{ path: '/states/open/transitions/pay/parameters/properties/a/minLength' }],
    });
    const untyped = await post('/v1/machines', machine('untyped', {})).expect(201);
    expect(untyped.body).toMatchObject({ warnings: [{ path: '/states/open/transitions/pay/parameters' }] });
  });
});
