import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { toolCall } from '#lib/activities/testing';
import { exportedText } from '#lib/client';
import { Redial } from '#lib/engine';
import { ProjectionRunner } from '#lib/read-models';
import { describeOnEachEngine } from '../support/places/describe-on-engines.js';
import { RedialServer } from '../support/redial-server.js';
import { openRefund } from '../support/refunds.js';

const DATASETS = ['sessions', 'rounds', 'decisions', 'proposals', 'calls', 'costs', 'tasks', 'runs'];

describeOnEachEngine('exports', (emptyPlace) => {
  let server: RedialServer;
  let sessionId: string;

  beforeAll(async () => {
    server = await RedialServer.start({ place: await emptyPlace() });
    sessionId = await openRefund(server);
    server.llm.enqueue(toolCall('approve', { amount: 5 }));
    await server.post(`/v1/sessions/${sessionId}/proposals`, { specialistId: 'clerk' });
    const transition = { transitionName: 'approve', toState: 'closed' };
    await server.post(`/v1/sessions/${sessionId}/transitions`, transition);
    await openRefund(server);
    await server.app.get(ProjectionRunner).caughtUpWithHead(20_000);
  });
  afterAll(() => server.stop());

  const exported = async (path: string) => {
    const response = await fetch(`${server.url}/v1/exports/${path}`);
    const text = await response.text();
    const type = response.headers.get('content-type');
    return { status: response.status, type, position: response.headers.get('redial-position'), text };
  };
  const rowsOf = (text: string) =>
    text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Record<string, unknown>);

  it('have the members of what they are of, as lines of JSON, and say how far the rows were', async () => {
    const { type, position, text } = await exported('sessions');
    expect([type, position]).toEqual(['application/x-ndjson; charset=utf-8', await server.head()]);
    const [session] = rowsOf(text);
    const { body } = await server.get(`/v1/sessions/${sessionId}`);
    for (const member of [
      'sessionId',
      'machineName',
      'currentState',
      'status',
      'metaJson',
      'createdAt',
      'revision',
    ])
      expect([member, session?.[member]]).toEqual([member, (body as Record<string, unknown>)[member]]);
    expect(rowsOf((await exported('decisions')).text)).toMatchObject([
      { sessionId, transitionName: 'approve', how: 'operator', isHuman: false },
    ]);
    expect(rowsOf((await exported('rounds')).text).map(({ isDecided }) => isDecided)).toEqual([true, false]);
  });

  it('are the same rows as CSV, through every door', async () => {
    for (const dataset of DATASETS) {
      const { type, text } = await exported(`${dataset}?format=csv`);
      const rows = rowsOf((await exported(dataset)).text);
      expect([type, rows.length > 0 || dataset === 'tasks']).toEqual(['text/csv; charset=utf-8', true]);
      const [head = '', ...lines] = text.trimEnd().split('\n');
      expect([dataset, lines.length]).toEqual([dataset, rows.length]);
      const columns = head.split(',');
      expect(columns).toEqual(
        Object.keys(rows[0] ?? Object.fromEntries(columns.map((name) => [name, null]))),
      );
      let ofFacade = '';
      for await (const part of await server.app.get(Redial).exportDataset({ dataset, format: 'csv' }))
        ofFacade += part;
      let ofClient = '';
      for await (const part of exportedText({ url: server.url }, { dataset, format: 'csv' }))
        ofClient += part;
      expect([ofFacade, ofClient]).toEqual([text, text]);
    }
  });

  it('take a machine and a span of time, and leave facts out', async () => {
    const rows = async (path: string) => rowsOf((await exported(path)).text);
    expect(await rows('sessions?machineName=other')).toEqual([]);
    expect((await exported('sessions?machineName=other&format=csv')).text).toMatch(
      /^sessionId,machineName,[^\n]*\n$/,
    );
    expect(await rows('proposals?machineName=refunds')).toHaveLength(1);
    expect(await rows('calls?to=2020-01-01T00:00:00Z')).toEqual([]);
    expect(await rows('costs?from=2020-01-01T00:00:00Z')).toHaveLength(1);
    expect((await rows('sessions?metaJson=off')).some((row) => 'metaJson' in row)).toBe(false);
  });

  it('are refused for a dataset that is not there, and by machine where rows have none', async () => {
    expect(await exported('nothing')).toMatchObject({
      status: 404,
      text: expect.stringContaining('unknown-dataset'),
    });
    expect((await exported('training')).text).toContain(
      'or training or preferences, which are content: over HTTP by POST',
    );
    const { status, text } = await exported('runs?machineName=refunds');
    expect([status, JSON.parse(text)]).toEqual([
      400,
      expect.objectContaining({ errors: [{ path: '/machineName', message: 'runs have no machine' }] }),
    ]);
    expect((await exported('sessions?format=xml')).status).toBe(400);
  });
});
