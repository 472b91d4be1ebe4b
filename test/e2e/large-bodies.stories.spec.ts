import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { toolCall } from '#lib/activities/testing';
import { ProjectionRunner } from '#lib/read-models';
import { describeOnEachEngine } from '../support/places/describe-on-engines.js';
import type { Place } from '../support/places/place.js';
import { RedialServer } from '../support/redial-server.js';
import { clerk, refunds } from '../support/refunds.js';

const LONG_MS = 20_000;
/** More than a MiB goes through hashes, blobs and codecs many times: 22 s on two cores. */
const TEST_MS = 60_000;

/** Quotes, several bytes a letter, pairs and a half of one: more than a MiB as JSON within JSON. */
const note = 'She said: "żółć" 👩🏽‍🚀 \\ \u2028 \u0007 '.repeat(22_000) + '\ud83d';
const approving = toolCall('approve', { note, amount: 3 }, { content: 'It is broken.' });
/** As large as a request may be. */
const metaJson = { text: 'Broken cup', photo: 'x'.repeat(1_000_000) };

interface Recorded {
  readonly type: string;
  readonly position: string;
  readonly data: {
    readonly metaJson?: { readonly note?: string };
    readonly body?: { readonly content: string };
  };
  readonly metadata: object;
}

interface Call {
  readonly responseBody: string;
  readonly outcome: string;
}

describeOnEachEngine('a reply of more than a MiB', (emptyPlace) => {
  let place: Place;
  let server: RedialServer;
  let sessionId: string;

  beforeEach(async () => {
    place = await emptyPlace(true);
    server = await RedialServer.start({ place, script: () => approving });
    await server.post('/v1/machines', refunds);
    await server.post('/v1/specialists', clerk);
    const created = await server.post('/v1/sessions', { machineName: 'refunds', metaJson });
    expect(created.status).toBe(201);
    ({ sessionId } = created.body as { sessionId: string });
  });

  afterEach(() => server.stop());

  const propose = () => server.post(`/v1/sessions/${sessionId}/proposals`, { specialistId: 'clerk' });
  /** In as many pages as their bytes take. */
  const events = async () => {
    const all: Recorded[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const query = `limit=100${cursor && `&cursor=${cursor}`}`;
      const { body } = await server.get(`/v1/sessions/${sessionId}/events?${query}`);
      const page = body as { items: Recorded[]; nextCursor: string | null };
      all.push(...page.items);
      cursor = page.nextCursor;
    }
    return all;
  };
  const calls = async () =>
    ((await server.get(`/v1/sessions/${sessionId}/llm-calls`)).body as { items: Call[] }).items;
  const replay = async () => (await server.post(`/v1/sessions/${sessionId}/replay`)).body as object;

  // The texts are too large for an assertion to tell how they differ.
  async function expectWholeEvents(): Promise<void> {
    const recorded = await events();
    const [created, reply, submitted] = ['SessionCreated', 'LlmCallCompleted', 'ProposalSubmitted'].map(
      (wanted) => recorded.find(({ type }) => type === wanted),
    );
    expect(JSON.stringify(created?.data.metaJson) === JSON.stringify(metaJson)).toBe(true);
    expect(reply?.data.body?.content === approving.body).toBe(true);
    expect(submitted?.data.metaJson?.note === note).toBe(true);
    expect(recorded.filter(({ metadata }) => 'encoding' in metadata)).toEqual([]);
  }

  async function expectWholeCall(): Promise<void> {
    const [call] = await calls();
    expect([call?.outcome, call?.responseBody === approving.body]).toEqual(['toolCall', true]);
  }

  it(
    'is stored apart, and shown whole: its proposal, calls and events, live too, and after a rebuild and a restart',
    async () => {
      const leaving = new AbortController();
      const live = await fetch(`${server.url}/v1/sessions/${sessionId}/events/stream`, {
        signal: leaving.signal,
      });
      const proposing = propose();
      const sent = await sentUntil(live, 'ProposalSubmitted');
      leaving.abort();
      const proposed = await proposing;
      expect([
        proposed.status,
        (proposed.body as { metaJson: { note: string } }).metaJson.note === note,
      ]).toEqual([201, true]);
      await expectWholeEvents();
      expect(JSON.stringify(sent) === JSON.stringify(await events())).toBe(true);
      await expectWholeCall();
      expect(await replay()).toMatchObject({ identical: true, open: 0 });

      const log = await server.log.store.readAll({ limit: 1000 });
      expect(log.filter(({ stream }) => stream.includes('blob-'))).toEqual([]);
      expect(Math.max(...log.map(({ data, metadata }) => data.length + metadata.length))).toBeLessThan(
        1_000_000,
      );
      const reply = log.find(({ type }) => type === 'LlmCallCompleted');
      expect(reply?.metadata).toContain('"encoding":{"blobs":[{"pointer":"/data/body/content"');

      const projections = server.app.get<ProjectionRunner>(ProjectionRunner);
      for (const name of projections.names) await projections.rebuild(name);
      await projections.caughtUpWithHead(LONG_MS);
      await expectWholeCall();
      let statuses = await projections.status();
      // Rows of folds are filled beside those that are read.
      while (statuses.some(({ status }) => status === 'rebuilding')) {
        await setImmediate();
        statuses = await projections.status();
      }
      expect(statuses.filter(({ status, lag }) => status !== 'live' || (lag ?? 0) > 0)).toEqual([]);
      expect((await server.get('/health/ready')).status).toBe(200);

      await server.stop();
      server = await RedialServer.start({ place });
      await expectWholeEvents();
      expect(await replay()).toMatchObject({ identical: true, open: 0 });
    },
    TEST_MS,
  );

  it('0.2-O6: arguments of 577 kB are stored once: with a stated proposal, with its command and with the decision', async () => {
    const given = { amount: 3, note: 'x'.repeat(577_000) };
    const stated = { specialistId: 'clerk', transitionName: 'approve', metaJson: given };
    expect((await server.post(`/v1/sessions/${sessionId}/proposals`, stated)).status).toBe(201);
    const decided = { transitionName: 'approve', toState: 'closed', metaJson: given };
    expect((await server.post(`/v1/sessions/${sessionId}/transitions`, decided)).status).toBe(200);
    const { store, codec } = server.log;
    const stored = (await store.readAll({ limit: 1_000 })).filter(({ stream }) => stream.endsWith(sessionId));
    const blobs = new Map(
      stored.flatMap((event) => codec.blobsOf(event)).map(({ sha256, bytes }) => [sha256, bytes]),
    );
    const sizes = [...stored.map(({ data, metadata }) => data.length + metadata.length), ...blobs.values()];
    const around = JSON.stringify(metaJson).length + 20_000;
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(JSON.stringify(given).length + around);
    expect(await replay()).toMatchObject({ identical: true });
  });
});

/** The events that a stream has sent up to the first event of a type. */
async function sentUntil(response: Response, type: string): Promise<Recorded[]> {
  const sent: Recorded[] = [];
  for await (const line of linesOf(response)) {
    if (line.startsWith('data: ')) sent.push(JSON.parse(line.slice('data: '.length)) as Recorded);
    if (sent.at(-1)?.type === type) return sent;
  }
  throw new Error(`The stream ended before ${type}.`);
}

async function* linesOf({ body }: Response): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let line: string[] = [];
  for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) {
    const [first = '', ...others] = decoder.decode(chunk, { stream: true }).split('\n');
    line.push(first);
    for (const other of others) {
      yield line.join('');
      line = [other];
    }
  }
}
