import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { describeOnEachEngine } from '../support/places/describe-on-engines.js';
import { RedialServer } from '../support/redial-server.js';
import { clerk, refunds } from '../support/refunds.js';

const human = { role: 'proposer', specialistId: 'ann', machineName: 'refunds', isHuman: true };

describeOnEachEngine('machines and specialists over HTTP', (emptyPlace) => {
  describe('on a server of each test', () => {
    let server: RedialServer;
    let head: string | undefined;

    beforeEach(async () => {
      server = await RedialServer.start({ place: await emptyPlace() });
      head = await server.head();
    });

    afterEach(() => server.stop());

    it('defines a machine, answers a repeat with the same version, and a changed one with the next', async () => {
      const first = await server.post('/v1/machines', refunds);
      expect([first.status, first.headers['redial-position']]).toEqual([201, await server.head()]);
      expect(first.body).toMatchObject({
        machineName: 'refunds',
        version: 1,
        definition: { goalState: 'closed' },
      });
      const same = await server.post('/v1/machines', refunds);
      expect([same.status, same.body]).toEqual([200, first.body]);
      expect(same.headers).not.toHaveProperty('redial-position');
      const changed = { ...refunds, consensusThreshold: 0.5 };
      expect(await server.post('/v1/machines', changed)).toMatchObject({ status: 201, body: { version: 2 } });
      expect((await server.get('/v1/machines/refunds')).body).toMatchObject({ version: 2 });
      const { warnings: _, ...machine } = first.body;
      expect((await server.get('/v1/machines/refunds?version=1')).body).toEqual(machine);
      expect((await server.get('/v1/machines?limit=1')).body).toMatchObject({
        items: [{ version: 2 }],
        nextCursor: null,
      });
    });

    it('keeps names like constructor and __proto__ as what they are: names of states', async () => {
      const states = '{"constructor":{"transitions":{"toString":"__proto__"}},"__proto__":{}}';
      const sent = `{"machineName":"odd","initialState":"constructor","goalState":"__proto__","states":${states}}`;
      const { status, text } = await server.http.post('/v1/machines').type('json').send(sent);
      expect(status).toBe(201);
      expect(text).toContain(
        '"constructor":{"transitions":{"toString":{"target":"__proto__"}}},"__proto__":{}',
      );
      expect((await server.get('/v1/machines/odd/diagram')).status).toBe(200);
    });

    it('validates machines with the specialists they declare, and defines nothing', async () => {
      const check = (body: object) => server.post('/v1/machines/validate', body);
      expect(await check(refunds)).toMatchObject({ status: 200, body: { valid: true, errors: [] } });
      expect((await check({ ...refunds, goalState: 'nowhere' })).body).toMatchObject({
        valid: false,
        errors: [{ path: expect.stringMatching(/^\//), message: expect.any(String) }],
      });
      const { machineName: _name, ...declared } = { ...clerk, contextTemplate: '{{#open' };
      expect((await check({ ...refunds, specialists: [declared] })).body).toMatchObject({
        valid: false,
        errors: [{ path: '/specialists/0' }],
      });
      expect(await server.head()).toBe(head);
    });

    it('D-9: registers the specialists of a machine with it', async () => {
      const { machineName: _name, ...declared } = clerk;
      const defined = await server.post('/v1/machines', { ...refunds, specialists: [declared] });
      expect(defined.headers['redial-position']).toBe(await server.head());
      expect((await server.get('/v1/specialists/clerk')).body).toMatchObject({ ...clerk, enabled: true });
    });

    it('draws a machine as a Mermaid diagram, also an older version', async () => {
      await server.post('/v1/machines', refunds);
      await server.post('/v1/machines', { ...refunds, initialState: 'review' });
      const latest = await server.get('/v1/machines/refunds/diagram');
      expect(latest.headers['content-type']).toMatch(/^text\/vnd\.mermaid/);
      const diagram = (response: { text?: string; body: Buffer }) =>
        response.text ?? response.body.toString();
      expect(diagram(latest)).toMatch(/^stateDiagram-v2\n/);
      const older = await server.get('/v1/machines/refunds/diagram?version=1');
      expect(diagram(older)).not.toBe(diagram(latest));
      const missing = await server.get('/v1/machines/refunds/diagram?version=9');
      expect([missing.status, missing.type]).toEqual([404, 'application/problem+json']);
    });

    it('X-L5: registers a specialist, takes the same one again, enables and disables it', async () => {
      const made = await server.post('/v1/specialists', clerk);
      expect(made).toMatchObject({ status: 201, body: { ...clerk, isHuman: false, enabled: true } });
      expect(made.headers['redial-position']).toBe(await server.head());
      expect(made.body).not.toHaveProperty('actorToken');
      expect(await server.post('/v1/specialists', clerk)).toMatchObject({ status: 200, body: made.body });
      const disabled = await server.http.post('/v1/specialists/clerk/disable');
      expect(disabled).toMatchObject({ status: 200, body: { enabled: false } });
      expect(disabled.headers['redial-position']).toBe(await server.head());
      expect((await server.post('/v1/specialists/clerk/enable')).body).toMatchObject({ enabled: true });
      expect((await server.get('/v1/specialists/clerk')).body).toMatchObject({
        enabled: true,
        alignment: [],
      });
      expect((await server.post('/v1/specialists/nobody/enable')).status).toBe(404);
    });

    it('lists specialists by machine and role, page by page', async () => {
      await server.post('/v1/specialists', clerk);
      await server.post('/v1/specialists', human);
      const judge = {
        role: 'arbiter',
        specialistId: 'judge',
        machineName: 'other',
        strategyFnName: 'aheadByK',
        threshold: 1,
      };
      expect((await server.post('/v1/specialists', judge)).status).toBe(201);
      const ids = async (query: string) =>
        (await server.get(`/v1/specialists?${query}`)).body.items.map(
          (one: { specialistId: string }) => one.specialistId,
        );
      expect(await ids('')).toEqual(['ann', 'clerk', 'judge']);
      expect(await ids('machineName=refunds')).toEqual(['ann', 'clerk']);
      expect(await ids('role=arbiter')).toEqual(['judge']);
      const { nextCursor } = (await server.get('/v1/specialists?limit=2')).body;
      expect(await ids(`limit=2&cursor=${nextCursor}`)).toEqual(['judge']);
    });

    it('gives the token of a human once, and shows it nowhere else', async () => {
      const made = await server.post('/v1/specialists', human);
      const { actorToken } = made.body as { actorToken: string };
      expect(actorToken).toEqual(expect.any(String));
      const read = await server.get('/v1/specialists/ann');
      expect(read.text).not.toContain(actorToken);
      expect(read.body).toMatchObject({ isHuman: true, alignment: [] });
    });
  });

  describe('specialists that are refused', () => {
    let server: RedialServer;

    beforeAll(async () => {
      server = await RedialServer.start({ place: await emptyPlace() });
    });
    afterAll(() => server.stop());

    it.each([
      ['no execution mode', { ...human, isHuman: false }, 'execution-mode'],
      ['two execution modes', { ...clerk, strategyFnName: 'firstAvailable' }, 'execution-mode'],
      [
        'a webhook that wants another secret',
        { ...human, strategyWebhookUrl: 'https://hooks.example/', webhookTokenName: 'OPENAI_API_KEY' },
        'execution-mode',
      ],
      ['an arbiter with a model', { ...clerk, role: 'arbiter' }, 'execution-mode'],
      ['a function nobody registered', { ...human, strategyFnName: 'nobodyKnows' }, 'invalid-specialist'],
      ['a broken model id', { ...clerk, modelId: 'm[tools' }, 'invalid-specialist'],
      ['a person who would be the engine', { ...human, specialistId: 'redial' }, 'invalid-specialist'],
      ['a person who would be an operator', { ...human, specialistId: 'operator' }, 'invalid-specialist'],
    ])('refuses a specialist with %s, and a machine that declares it: 422', async (_what, body, code) => {
      const head = await server.head();
      const refused = await server.post('/v1/specialists', body);
      expect(refused).toMatchObject({ status: 422, body: { code, status: 422, type: `/problems/${code}` } });
      const { machineName: _name, ...declared } = body;
      const specialists = [{ role: 'proposer', specialistId: 'first', isHuman: true }, declared];
      const machine = await server.post('/v1/machines', { ...refunds, specialists });
      expect(machine).toMatchObject({ status: 422, body: { code: 'invalid-machine' } });
      expect(await server.head()).toBe(head);
    });
  });
});
