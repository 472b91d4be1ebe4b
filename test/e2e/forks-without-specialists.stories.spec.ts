import { afterEach, expect, it } from '@jest/globals';
import type { LlmScript } from '#lib/activities/testing';
import { Redial } from '#lib/engine';
import { describeOnEachEngine } from '../support/places/describe-on-engines.js';
import { RedialServer } from '../support/redial-server.js';
import { reviewedRefunds, said } from '../support/reviewed-refunds.js';

const { specialists, ...machine } = reviewedRefunds;
const [clerk, , judge] = specialists.map((one) => ({ ...one, machineName: 'refunds' }));

describeOnEachEngine(
  'a fork of a history file whose specialists were registered by themselves',
  (emptyPlace) => {
    let server: RedialServer;
    let redial: Redial;

    async function begin(script: LlmScript): Promise<void> {
      server = await RedialServer.start({ place: await emptyPlace(), script });
      redial = server.app.get(Redial);
      await redial.defineMachine(machine);
    }
    afterEach(() => server.stop());

    const register = (one: object | undefined) => server.post('/v1/specialists', one);

    /** A decided round of a log that is gone, and the revisions at which its model was asked and it was decided. */
    async function recorded() {
      await begin([said('review', 'review')]);
      await register(clerk);
      await register(judge);
      const { sessionId } = await redial.createSession({
        machineName: 'refunds',
        metaJson: { text: 'broken' },
      });
      await redial.submitProposal({ sessionId, specialistId: 'clerk' });
      await redial.submitArbitration({ sessionId });
      const { revision: decided } = await redial.getSession({ sessionId });
      const { items } = await redial.listSessionEvents({ sessionId });
      const asked = items.find(({ type }) => type === 'ProposalSolicited')?.revision ?? 0;
      const history = await (await fetch(`${server.url}/v1/sessions/${sessionId}/history`)).text();
      await server.stop();
      return { history, asked, decided };
    }

    const post = (fields: object, history: string) =>
      server.http
        .post('/v1/histories/forks')
        .set({ 'content-type': 'application/x-ndjson' })
        .send(`${JSON.stringify(fields)}\n${history}`);

    async function fork(fields: object, history: string): Promise<string> {
      const { status, body } = await post(fields, history);
      expect([status, body]).toMatchObject([201, { forkedFrom: {} }]);
      return (body as { sessionId: string }).sessionId;
    }

    const reasons = async (sessionId: string) =>
      (await redial.listSessionEvents({ sessionId })).items.flatMap(({ type, data }) =>
        type === 'HumanInputRequested' ? [(data as { reason: string }).reason] : [],
      );

    const replayed = async (sessionId: string) => {
      const { identical, divergences } = await redial.replaySession({ sessionId });
      expect({ identical, divergences }).toEqual({ identical: true, divergences: [] });
    };

    it('waits with cannot-ask, decides nothing by itself, and goes on once each of them is registered', async () => {
      const { history, decided, asked } = await recorded();
      await begin([said('approve', 'closed'), said('deny', 'closed')]);
      const sessionId = await fork({ atRevision: decided }, history);
      expect(await redial.getSession({ sessionId })).toMatchObject({ status: 'needs_human' });
      expect(await redial.listTasks({ sessionId })).toMatchObject({ items: [{ isFork: true }] });
      for (const _ of [1, 2]) {
        // With built-in specialists in place of those that are not registered, it would be decided.
        const run = await redial.runSession({ sessionId });
        expect(run).toMatchObject({ currentState: 'review', status: 'needs_human' });
        await register(judge);
      }
      expect(await reasons(sessionId)).toEqual(['cannot-ask']);
      expect(server.llm.requests).toHaveLength(0);

      const before = await fork({ atRevision: asked }, history);
      await register(clerk);
      const run = await redial.runSession({ sessionId });
      expect(run).toMatchObject({ currentState: 'closed', status: 'done' });
      // The next step asks what was under way in the other log.
      expect(await redial.runSession({ sessionId: before })).toMatchObject({ currentState: 'closed' });
      await replayed(sessionId);
      await replayed(before);
    });

    it('asks a proposer that it overrides whole, waits for the others, and refuses what tells too little of one', async () => {
      const { history, decided } = await recorded();
      await begin([said('approve', 'closed'), said('approve', 'closed'), said('deny', 'closed')]);
      await register(judge);
      const { modelId, contextTemplate } = clerk as { modelId: string; contextTemplate: string };
      const overriding = (one: object, specialistId = 'clerk') => ({
        atRevision: decided,
        overrides: { specialists: { [specialistId]: one } },
      });
      const partly = await post(overriding({ modelId }), history);
      expect([partly.status, partly.body]).toMatchObject([422, { code: expect.any(String) }]);
      const nobody = await post(overriding({ modelId, contextTemplate }, 'nobody'), history);
      expect([nobody.status, nobody.body]).toMatchObject([422, { code: 'wrong-specialist' }]);
      const sessionId = await fork(overriding({ modelId, contextTemplate: 'Mug' }), history);
      const { revision: begun } = await redial.getSession({ sessionId });
      expect(await redial.runSession({ sessionId })).toMatchObject({ currentState: 'closed' });
      expect(JSON.stringify(server.llm.requests.at(-1)?.body)).toContain('Mug');
      await replayed(sessionId);

      // A fork of that fork changes a member of the registration, which stays whole.
      const changed = { specialists: { clerk: { modelId: 'another-model' } } };
      const next = await redial.forkSession({
        sessionId,
        atRevision: begun,
        overrides: changed,
      });
      expect(await redial.runSession({ sessionId: next.sessionId })).toMatchObject({
        currentState: 'closed',
      });
      expect(server.llm.requests.at(-1)?.body).toMatchObject({ model: 'another-model' });
      expect(JSON.stringify(server.llm.requests.at(-1)?.body)).toContain('Mug');
      await replayed(next.sessionId);

      const lacking = await fork({ atRevision: 0 }, history);
      const { revision } = await redial.getSession({ sessionId: lacking });
      const { overrides } = overriding({ modelId, contextTemplate });
      const again = await redial.forkSession({ sessionId: lacking, atRevision: revision, overrides });
      const { sessionId: known } = again;
      expect(await redial.runSession({ sessionId: known })).toMatchObject({ currentState: 'closed' });
      await replayed(known);
    });

    it('needs none of them with a machine that declares its own', async () => {
      const { history, decided } = await recorded();
      await begin([said('approve', 'closed')]);
      const overrides = { machine: reviewedRefunds };
      const sessionId = await fork({ atRevision: decided, overrides }, history);
      expect(await redial.getSession({ sessionId })).toMatchObject({ status: 'open' });
      expect(await redial.runSession({ sessionId })).toMatchObject({ currentState: 'closed' });
      await replayed(sessionId);
    });
  },
);
