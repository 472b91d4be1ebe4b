import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { droppedConnection, httpError, type ScriptedReply, text, toolCall } from '#lib/activities/testing';
import { describeOnEachEngine } from '../support/places/describe-on-engines.js';
import { RedialServer } from '../support/redial-server.js';

const machine = (isEnriched: boolean) => ({
  machineName: 'refunds',
  initialState: 'triage',
  goalState: 'closed',
  states: {
    triage: {
      transitions: {
        approve: isEnriched ? { target: 'closed', description: 'Pay the money back' } : 'closed',
        escalate: 'review',
      },
    },
    review: { transitions: { close: 'closed' } },
    closed: {},
  },
});

const decision = { transitionName: 'escalate', toState: 'review', reasoning: 'unsure' };
const failed = { code: 'proposer-failed', solicitationId: expect.any(String) };

interface Path {
  readonly title: string;
  readonly isPlain?: true;
  readonly modelId?: string;
  readonly script: readonly ScriptedReply[];
  readonly outcomes: readonly string[];
  /** Of the proposal; or of the problem, where the status is 502. */
  readonly answer: object;
  readonly lacks?: string;
  readonly fails?: true;
}

const paths: readonly Path[] = [
  {
    title: 'case 25: a tool call that names a transition is the proposal, its arguments are metaJson',
    script: [toolCall('approve', { amount: 12 }, { content: 'It is broken.' })],
    outcomes: ['toolCall'],
    answer: {
      transitionName: 'approve',
      toState: 'closed',
      metaJson: { amount: 12 },
      reasoning: 'It is broken.',
    },
  },
  {
    title: 'case 26: a tool call without arguments has no metaJson',
    script: [toolCall('approve', {})],
    outcomes: ['toolCall'],
    answer: { transitionName: 'approve', reasoning: '' },
    lacks: 'metaJson',
  },
  {
    title: 'case 27: a tool call of an unknown name fails, and says which transitions exist',
    script: [toolCall('refuse', {})],
    outcomes: ['toolCall'],
    fails: true,
    answer: { ...failed, kind: 'invalid-choice', detail: expect.stringMatching(/approve.*escalate/) },
  },
  {
    title: 'case 28: text that is decision JSON is taken',
    script: [text(decision)],
    outcomes: ['decision'],
    answer: decision,
  },
  {
    title: 'case 29: metaJson in decision JSON is kept',
    script: [text({ ...decision, metaJson: { queue: 2 } })],
    outcomes: ['decision'],
    answer: { ...decision, metaJson: { queue: 2 } },
  },
  {
    title: 'case 30: after text that is not JSON a fresh text call decides',
    script: [text('I would escalate.'), text(decision)],
    outcomes: ['noToolCall', 'decision'],
    answer: decision,
  },
  {
    title: 'case 31: after JSON without toState a fresh text call decides',
    script: [text({ transitionName: 'escalate' }), text(decision)],
    outcomes: ['noToolCall', 'decision'],
    answer: decision,
  },
  {
    title: 'case 32: an HTTP error fails, without a fallback',
    script: [httpError(503, 'overloaded')],
    outcomes: ['failed'],
    fails: true,
    answer: {
      ...failed,
      kind: 'http-error',
      upstreamStatus: 503,
      detail: expect.stringContaining('LLM API error (503)'),
    },
  },
  {
    title: 'case 33: a network error fails, without a fallback',
    script: [droppedConnection()],
    outcomes: ['failed'],
    fails: true,
    answer: { ...failed, kind: 'network' },
    lacks: 'upstreamStatus',
  },
  {
    title: 'case 34: with tools=no text decides, and no tools are sent',
    modelId: 'gpt-4o-mini[tools=no]',
    script: [text(decision)],
    outcomes: ['decision'],
    answer: decision,
  },
  {
    title: 'case 35: where no transition is enriched text decides',
    isPlain: true,
    script: [text(decision)],
    outcomes: ['decision'],
    answer: decision,
  },
  {
    title: 'case 36: metaJson in a text decision is kept',
    isPlain: true,
    script: [text({ ...decision, metaJson: { queue: 2 } })],
    outcomes: ['decision'],
    answer: { metaJson: { queue: 2 } },
  },
  {
    title: 'case 37: a text decision without metaJson has none',
    isPlain: true,
    script: [text(decision)],
    outcomes: ['decision'],
    answer: { transitionName: 'escalate' },
    lacks: 'metaJson',
  },
];

describeOnEachEngine('the fallback ladder over HTTP', (emptyPlace) => {
  let server: RedialServer;

  beforeAll(async () => {
    server = await RedialServer.start({ place: await emptyPlace() });
  });

  afterAll(() => server.stop());

  it.each(paths)(
    '$title',
    async ({ title, isPlain, modelId = 'gpt-4o-mini', script, outcomes, answer, lacks, fails }) => {
      const asBefore = server.llm.requests.length;
      server.llm.enqueue(...script);
      await server.post('/v1/machines', machine(isPlain !== true));
      const specialistId = title.replace(/^case (\d+): .*$/, 'clerk-$1');
      const clerk = {
        role: 'proposer',
        specialistId,
        machineName: 'refunds',
        contextTemplate: 'x',
        modelId,
      };
      await server.post('/v1/specialists', clerk);
      const { sessionId } = (await server.post('/v1/sessions', { machineName: 'refunds' })).body;
      const asked = await server.post(`/v1/sessions/${sessionId}/proposals`, { specialistId });
      expect(asked.status).toBe(fails ? 502 : 201);
      expect(asked.body).toMatchObject(answer);
      expect(Object.keys(asked.body as object)).not.toContain(lacks);
      expect(asked.headers['redial-position']).toBe(await server.head());
      const calls = await server.get(`/v1/sessions/${sessionId}/llm-calls`);
      expect(calls.body.items.map(({ outcome }: { outcome: string }) => outcome)).toEqual(outcomes);
      const offersTools = isPlain !== true && modelId === 'gpt-4o-mini';
      const first = server.llm.requests[asBefore];
      expect('tools' in (first?.body ?? {})).toBe(offersTools);
      expect(first?.body).toMatchObject({ model: 'gpt-4o-mini' });
      const replay = await server.post(`/v1/sessions/${sessionId}/replay`);
      expect(replay.body).toMatchObject({ identical: true, open: 0 });
    },
  );
});
