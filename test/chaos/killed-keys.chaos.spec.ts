import { afterEach, expect, it } from '@jest/globals';
import { reply, ScriptedLlmServer, ScriptedWebhookServer } from '#lib/activities/testing';
import { verifyAll } from '#lib/engine';
import type { EventLog } from '#lib/event-store';
import type { RecordedEvent } from '#lib/kernel';
import { randomOf } from '#lib/workflow/testing';
import { describeOnBothEngines } from '../support/places/describe-on-engines.js';
import { openLogOf } from '../support/places/open-log-of.js';
import type { Place } from '../support/places/place.js';
import { ServerProcess } from '../support/server-process.js';
import { commands, KeyedCalls } from './keyed-calls.js';
import { answerOf, chargesOf, define, LEFT_OUT, work } from './keyed-story.js';

/** Half of them on each pair of stores; `KILLS=1000 npm run test:kills` has many more. */
const KILLS = Math.ceil(Number(process.env['KILLS'] ?? 20) / 2);
const SEED = Number(process.env['SEED'] ?? Math.floor(Math.random() * 2 ** 31));
const WORKERS = 3;
const TOKEN = 'the-token-of-the-server-0123456789';
/** For one kill and the calls until the next, on a busy machine. */
const MOST_MS = 30_000;

describeOnBothEngines(`every keyed command under ${KILLS} kills, seed ${SEED}`, (emptyPlace) => {
  let place: Place;
  let llm: ScriptedLlmServer;
  let webhook: ScriptedWebhookServer;
  const random = randomOf(SEED);
  let alive: ServerProcess[] = [];
  let killing = Promise.resolve();

  afterEach(async () => {
    await killing.catch(() => undefined);
    await Promise.all(alive.map((each) => each.kill()));
    alive = [];
    await llm.close();
    await webhook.close();
  });

  /** Answers until the next kill. */
  const aFew = () => 1 + Math.floor(random() * 12);

  async function startProcess(): Promise<void> {
    const started = await ServerProcess.at(place, llm, {
      REDIAL_API_TOKEN: TOKEN,
      REDIAL_WEBHOOK_PRIVATE_ADDRESSES: 'allow',
    });
    alive = [...alive, started];
  }

  async function killOne(): Promise<void> {
    const victim = alive[Math.floor(random() * alive.length)];
    alive = alive.filter((each) => each !== victim);
    await victim?.kill();
    await startProcess();
  }

  it(
    '0.2-X2 0.2-X1 two processes: no call has a second effect, each repeat has the first answer, and everything replays identical',
    async () => {
      place = await emptyPlace(true);
      llm = await ScriptedLlmServer.start(answerOf);
      webhook = await ScriptedWebhookServer.start(() => reply({ body: '{"success":true,"data":1}' }));
      await startProcess();
      await startProcess();
      const progress = { kills: 0, left: Infinity, names: 0 };
      const onAnswer = () => {
        if (--progress.left > 0 || progress.kills === KILLS) return;
        progress.left = Infinity;
        progress.kills += 1;
        if (progress.kills % 50 === 0) process.stdout.write(`${progress.kills} kills\n`);
        killing = killing.then(killOne).then(() => void (progress.left = aFew()));
      };
      const calls = new KeyedCalls({ alive: () => alive, token: TOKEN, random, onAnswer });
      const actorToken = await define(calls, webhook.url);
      progress.left = aFew();
      const worker = async () => {
        while (progress.kills < KILLS) await work(calls, `m${progress.names++}`, actorToken);
      };
      await Promise.all(Array.from({ length: WORKERS }, worker));
      await killing;
      await checkLog(calls);
    },
    60_000 + KILLS * MOST_MS,
  );

  async function checkLog(calls: KeyedCalls): Promise<void> {
    const log = await openLogOf(place);
    const before = await log.store.head();
    for (const call of calls.answered) await calls.repeat(call);
    const since = await eventsOf(log, before);
    const seconds = since.filter(({ metadata }) => metadata.commandFingerprint !== undefined);
    const events = await eventsOf(log);
    const charges = chargesOf(webhook.requests);
    const twice = [...charges].filter(([note, times]) => times > 1 || note.endsWith('cancelled'));
    const elsewhere = streamsOfCommands(events).filter(([, streams]) => streams.size > 1);
    process.stdout.write(
      `${KILLS} kills, seed ${SEED}: ${calls.answered.length} commands, ${calls.repeats} repeats, ${events.length} events, ` +
        `${webhook.requests.length} calls of tools, second effects: ${seconds.length + twice.length + elsewhere.length}\n`,
    );
    expect({ seconds, twice, elsewhere }).toEqual({ seconds: [], twice: [], elsewhere: [] });
    const answered = new Set([...calls.answered.map(({ id }) => id), ...Object.keys(LEFT_OUT)]);
    expect([...answered].toSorted()).toEqual([...commands.keys()].toSorted());
    for await (const report of verifyAll(log)) expect(report).toMatchObject({ identical: true });
    await log.store.close();
  }
});

async function eventsOf(
  log: EventLog,
  from?: Awaited<ReturnType<EventLog['store']['head']>>,
): Promise<readonly RecordedEvent[]> {
  const limit = 10_000_000;
  return log.decodeAll(await log.store.readAll({ limit, ...(from !== undefined && { from }) }));
}

/** By keyed command and kind of stream, the streams with events of it. */
function streamsOfCommands(events: readonly RecordedEvent[]): readonly (readonly [string, Set<string>])[] {
  const streams = new Map<string, Set<string>>();
  for (const { stream, metadata } of events) {
    if (metadata.commandFingerprint === undefined) continue;
    const [kind = ''] = stream.split('-');
    const name = `${metadata.commandId} ${kind}`;
    streams.set(name, (streams.get(name) ?? new Set()).add(stream));
  }
  return [...streams];
}
