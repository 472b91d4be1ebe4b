import { afterEach, expect, it } from '@jest/globals';
import type { LlmScript } from '#lib/activities/testing';
import { Redial, type RedialOptions } from '#lib/engine';
import { sha256 } from '#lib/kernel';
import { describeOnEachEngine } from '../support/places/describe-on-engines.js';
import { forged } from '../support/forged-history.js';
import { RedialServer } from '../support/redial-server.js';
import { untilEvent } from '../support/until-event.js';
import { reviewedRefunds, said } from '../support/reviewed-refunds.js';

const REVIEW = said('review', 'review');
const masterKey = Buffer.alloc(32, 7).toString('base64');

describeOnEachEngine('a fork of a history file', (emptyPlace) => {
  let server: RedialServer;
  let redial: Redial;

  async function begin(script: LlmScript, options: RedialOptions = {}): Promise<void> {
    server = await RedialServer.start({ place: await emptyPlace(), script, options });
    redial = server.app.get(Redial);
  }
  afterEach(() => server.stop());

  /** A decided session of a log that is gone, as a file. */
  async function recorded(
    subject?: string,
    query = '',
  ): Promise<{ history: string; atRevision: number; sessionId: string }> {
    await begin([REVIEW], subject === undefined ? {} : { masterKey });
    await redial.defineMachine(reviewedRefunds);
    const about = { machineName: 'refunds', metaJson: { text: 'broken' } };
    const { sessionId } = await redial.createSession({ ...about, ...(subject !== undefined && { subject }) });
    await redial.submitProposal({ sessionId, specialistId: 'clerk' });
    await redial.submitArbitration({ sessionId });
    const { revision: atRevision } = await redial.getSession({ sessionId });
    const { text: history } = await server.get(`/v1/sessions/${sessionId}/history${query}`).then(textOf);
    await server.stop();
    return { history, atRevision, sessionId };
  }

  const textOf = ({ text: lines, body }: { text?: string; body: unknown }) => ({
    text: Buffer.isBuffer(body) ? body.toString() : String(lines),
  });

  const linesOf = (history: string) =>
    history
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { readonly type?: string; readonly revision?: number });

  /** A changed file, with the sum of its bytes. */
  function summed(history: string): string {
    const lines = history.trimEnd().split('\n');
    const body = `${lines.slice(0, -1).join('\n')}\n`;
    return `${body}${JSON.stringify({ ...linesOf(history).at(-1), sha256: sha256(body) })}\n`;
  }

  const post = (fields: object, history: string, headers: Readonly<Record<string, string>> = {}) =>
    server.http
      .post('/v1/histories/forks')
      .set({ 'content-type': 'application/x-ndjson', ...headers })
      .send(`${JSON.stringify(fields)}\n${history}`);

  it('goes on in another log, which has none of its definitions, and replays there by itself', async () => {
    const { history, atRevision, sessionId } = await recorded();
    await begin([said('approve', 'closed')]);
    const { status, body } = await post({ atRevision, reason: 'What if?' }, history, {
      'idempotency-key': 'one',
    });
    expect([status, body]).toMatchObject([
      201,
      {
        currentState: 'review',
        metaJson: { text: 'broken' },
        forkedFrom: { sessionId, revision: atRevision, by: 'operator', reason: 'What if?' },
      },
    ]);
    const fork = (body as { sessionId: string }).sessionId;
    const again = await post({ atRevision, reason: 'What if?' }, history, { 'idempotency-key': 'one' });
    expect([again.status, again.body]).toEqual([201, body]);
    const other = await post({ atRevision, reason: 'No' }, history, { 'idempotency-key': 'one' });
    expect(other.body).toMatchObject({ code: 'idempotency-key-reused' });

    await redial.submitProposal({ sessionId: fork, specialistId: 'clerk' });
    await redial.submitArbitration({ sessionId: fork });
    expect(await redial.getSession({ sessionId: fork })).toMatchObject({
      currentState: 'closed',
      history: [{ transitionName: 'review' }, { transitionName: 'approve' }],
    });
    expect(await redial.replaySession({ sessionId: fork })).toMatchObject({
      identical: true,
      divergences: [],
    });
    expect(await redial.listSessions({ forkedFrom: sessionId })).toMatchObject({
      items: [{ sessionId: fork }],
    });
    expect((await redial.listSessions({})).items).toHaveLength(1);
    // The runs of the other log are not here: the copies of what they led to are.
    const { body: calls } = await server.get(`/v1/sessions/${fork}/llm-calls`);
    expect(calls).toMatchObject({ items: [{ sessionId: fork }] });
    const { nodes } = await redial.whySession({ sessionId: fork, revision: atRevision });
    expect(nodes.map(({ type }) => type)).toEqual(
      expect.arrayContaining(['TransitionExecuted', 'ProposalSubmitted', 'SessionCreated']),
    );
    expect(nodes.filter(({ stream }) => !stream.endsWith(fork))).toEqual([]);
    const { body: decisions } = await server.get('/v1/machines/refunds/decisions');
    expect(decisions).not.toMatchObject({ items: [expect.anything()] });
  });

  it('asks again what was under way, under what it overrides, with the specialists that its machine declares', async () => {
    const { history } = await recorded();
    await begin([said('deny', 'closed')]);
    const asked = linesOf(history).find(({ type }) => type === 'ProposalSolicited');
    const { body } = await post(
      {
        atRevision: asked?.revision,
        overrides: {
          specialists: { clerk: { modelId: 'gpt-4o[tools=no]', contextTemplate: 'A {{metaJson.text}} cup' } },
        },
      },
      history,
    );
    const { sessionId } = body as { sessionId: string };
    await untilEvent(
      server.log,
      ({ stream, type, metadata }) =>
        stream.endsWith(sessionId) && type === 'ProposalSubmitted' && !metadata.copied,
    );
    const request = server.llm.requests.at(-1)?.body;
    expect(request).toMatchObject({ model: 'gpt-4o' });
    expect(JSON.stringify(request)).toContain('A broken cup');
    expect(await redial.replaySession({ sessionId })).toMatchObject({ identical: true, divergences: [] });
  });

  it('is refused to a viewer before the body is read', async () => {
    await begin([]);
    const { token = '' } = await redial.registerPerson({ personId: 'vic', role: 'viewer' });
    // A body that is read would be refused as one whose first line is no object.
    const { status, body } = await server.http
      .post('/v1/histories/forks')
      .set({ 'content-type': 'application/x-ndjson', authorization: `Bearer ${token}` })
      .send('no object');
    expect([status, (body as { code: string }).code]).toEqual([403, 'role']);
  });

  it('is refused for a file that is broken, redacted, or not what its rules give, and nothing is written', async () => {
    const { history, atRevision, sessionId } = await recorded();
    await begin([]);
    const before = await server.log.store.head();
    const refused = async (file: string, fields: object = { atRevision }) => {
      const { status, body } = await post(fields, file);
      return [status, (body as { code: string }).code, (body as { line?: number }).line] as const;
    };
    const lines = history.split('\n');
    const without = (line: number) => lines.filter((_, at) => at !== line - 1).join('\n');
    expect(await refused(without(4))).toEqual([422, 'history-broken', 4]);
    expect(await refused('')).toEqual([422, 'history-broken', 1]);
    expect(await refused(history.replace('broken', 'brokem'))).toEqual([
      422,
      'history-broken',
      lines.length - 1,
    ]);
    expect(
      await refused(summed(history.replaceAll('"transitionName":"review"', '"transitionName":"deny"'))),
    ).toEqual([422, 'history-diverges', undefined]);
    const garbage = lines
      .map((line) => line.replace(/"data":\{.*?\},"metadata"/, '"data":{},"metadata"'))
      .join('\n');
    expect(await refused(summed(garbage))).toEqual([422, 'history-diverges', undefined]);
    expect(await refused(history, { atRevision: 4_000 })).toEqual([404, 'unknown-revision', undefined]);
    expect(await refused(history, { atRevision: atRevision - 1 })).toEqual([422, 'inside-append', undefined]);
    expect(await refused(history, { atRevision, sessionId })).toEqual([400, 'malformed-request', undefined]);
    expect(await refused(history, { atRevision, history })).toEqual([400, 'malformed-request', undefined]);
    const missing = { atRevision, overrides: { specialists: { nobody: {} } } };
    expect(await refused(history, missing)).toEqual([422, 'wrong-specialist', undefined]);
    expect(await server.log.store.head()).toBe(before);
    await server.stop();
    const redacted = await recorded(undefined, '?redact=content');
    await begin([]);
    expect(await refused(redacted.history)).toEqual([422, 'redacted', undefined]);
  });

  it('is refused for a machine, or a value, that no call could have given here, whatever its author made fit', async () => {
    await begin([]);
    await redial.defineMachine(reviewedRefunds);
    const { sessionId } = await redial.createSession({
      machineName: 'refunds',
      metaJson: { text: 'broken' },
    });
    const { text: history } = await server.get(`/v1/sessions/${sessionId}/history`).then(textOf);
    await server.stop();
    await begin([]);
    const before = await server.log.store.head();
    const nested = `${'['.repeat(1_000)}${']'.repeat(1_000)}`;
    for (const [from, to, code] of [
      ['"refunds"', '"re\\u0000funds"', 'invalid-machine'],
      ['"prompt":"And now?"', '"prompt":"And now?","people":{"priority":1e+300}', 'invalid-machine'],
      ['"text":"broken"', `"text":${nested}`, 'unstorable'],
    ] as const) {
      const { status, body } = await post({ atRevision: 0 }, await forged(history, from, to));
      expect([from, status, (body as { code: string }).code]).toEqual([from, 422, code]);
    }
    expect(await server.log.store.head()).toBe(before);
    expect((await post({ atRevision: 0 }, await forged(history, 'broken', 'torn'))).status).toBe(201);
  });

  it('has the subject of its file, whose keys the file must have, and is refused where it was erased', async () => {
    const { history, atRevision } = await recorded('customer-1');
    await begin([], { masterKey });
    const { status, body } = await post({ atRevision }, history);
    expect([status, body]).toMatchObject([201, { metaJson: { text: 'broken' } }]);
    const stored = await server.log.store.readAll({ limit: 1_000 });
    expect(JSON.stringify(stored)).not.toContain('broken');
    const [head, keys, ...rest] = history.split('\n');
    expect(keys).toContain('customer-1');
    const keyless = await post({ atRevision }, summed([head, ...rest].join('\n')));
    expect([keyless.status, keyless.body]).toMatchObject([422, { code: 'erased-history' }]);
    await server.post('/v1/subjects/customer-1/erase', { reason: 'They asked' });
    const erased = await post({ atRevision }, history);
    expect([erased.status, erased.body]).toMatchObject([409, { code: 'erased' }]);
    await server.stop();
    await begin([]);
    const unkept = await post({ atRevision }, history);
    expect([unkept.status, unkept.body]).toMatchObject([422, { code: 'configuration' }]);
  });
});
