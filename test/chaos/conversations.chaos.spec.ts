import { randomUUID } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { type ScriptedRequest, text } from '#lib/activities/testing';
import { describeOnBothEngines } from '../support/places/describe-on-engines.js';
import { variablesOf } from '../support/places/variables-of.js';
import { API_KEY, RedialServer } from '../support/redial-server.js';
import { ServerProcess } from '../support/server-process.js';
import { HttpCaller } from './http-caller.js';

/** `npm run test:conversations` has many more. */
const IS_FULL = process.env['CONVERSATIONS'] === 'all';
const CONVERSATIONS = IS_FULL ? 200 : 3;
/** Conversations that talk at the same time. */
const LANES = 20;
const TURNS = IS_FULL ? 50 : 5;
const LONGEST_MS = 3_600_000;

const agent = {
  agentName: 'talker',
  model: 'gpt-4o-mini',
  flows: [{ id: 'talk', title: 'Talk', reentrant: true, steps: [{ id: 'talk', prompt: 'Talk' }] }],
  compaction: { maxTokens: 400 },
};

interface Asked {
  readonly response_format: { readonly json_schema: { readonly name: string } };
  readonly messages: readonly { readonly role: string; readonly content: string }[];
}

interface Talk {
  readonly id: string;
  readonly said: readonly string[];
}

interface TurnItem {
  readonly text: string;
  readonly status: string;
  readonly message: string;
  readonly turnId: string;
}

describeOnBothEngines('conversations with two processes', (emptyPlace) => {
  let callers: readonly [HttpCaller, HttpCaller];
  /** How often the model was asked to answer a message. */
  const answers = new Map<string, number>();

  function answer({ body }: ScriptedRequest) {
    const { response_format: format, messages } = body as object as Asked;
    const said = messages.findLast(({ role }) => role === 'user')?.content ?? '';
    const purpose = format.json_schema.name;
    if (purpose === 'route') return text({ intent: 'to talk', scores: { talk: 90 } });
    if (purpose === 'compact') return text({ summary: 'They talked.' });
    answers.set(said, (answers.get(said) ?? 0) + 1);
    return text({ message: `To ${said}` });
  }

  /** In this process, and in one of its own. */
  async function startBoth(): Promise<() => Promise<void>> {
    const place = await emptyPlace(true);
    const environment = { REDIAL_LLM_MAX_ATTEMPTS: '3' };
    const one = await RedialServer.start({ place, script: answer, environment });
    const other = await ServerProcess.start({
      ...variablesOf(place),
      OPENAI_API_KEY: API_KEY,
      OPENAI_BASE_URL: one.llm.baseUrl,
      ...environment,
    });
    callers = [new HttpCaller(one.url), new HttpCaller(other.url)];
    await one.post('/v1/agents', agent);
    return async () => {
      await other.stop();
      await one.stop();
    };
  }

  /** Of five turns one is a message that both processes get, one has a message for each of them at once. */
  async function talk(name: number): Promise<Talk> {
    const start = { agentName: agent.agentName };
    const { body } = await callers[0].postUntilAnswered('/v1/conversations', start, randomUUID());
    const id = String(body['conversationId']);
    const said: string[] = [];
    const say = async (caller: HttpCaller, message: string, key: string = randomUUID()) => {
      const turn = await caller.postUntilAnswered(`/v1/conversations/${id}/messages`, { text: message }, key);
      expect([turn.status, turn.body['message']]).toEqual([200, `To ${message}`]);
      return turn.body['turnId'];
    };
    while (said.length < TURNS) {
      const message = `message ${said.length} of ${name}`;
      const isTwice = said.length % 5 === 1;
      const isBeside = said.length % 5 === 3 && said.length + 1 < TURNS;
      const key = randomUUID();
      const [first, second] = said.length % 2 === 0 ? callers : callers.toReversed();
      const beside = `another ${message}`;
      const [turn, again = turn] = await Promise.all([
        say(first, message, key),
        isTwice ? say(second, message, key) : undefined,
        isBeside && say(second, beside),
      ]);
      expect(again).toBe(turn);
      said.push(message, ...(isBeside ? [beside] : []));
    }
    return { id, said };
  }

  async function check({ id, said }: Talk, caller: HttpCaller): Promise<void> {
    const turns = (await caller.get(`/v1/conversations/${id}/turns?limit=200`)).body['items'];
    const items = turns as readonly TurnItem[];
    expect(items.map((turn) => turn.text).toSorted()).toEqual(said.toSorted());
    expect(items.every(({ status }) => status === 'completed')).toBe(true);
    const { body } = await caller.get(`/v1/conversations/${id}`);
    const history = body['history'] as readonly { readonly content: string }[];
    expect(history.map(({ content }) => content)).toEqual(items.flatMap((turn) => [turn.text, turn.message]));
    const replay = await caller.post(`/v1/conversations/${id}/replay`, {});
    expect(replay.body).toMatchObject({ identical: true, open: 0, streamsChecked: TURNS + 1 });
  }

  it(
    'F-61: each message is answered once, in one order, and every conversation replays identical',
    async () => {
      const stop = await startBoth();
      try {
        const names = Array.from({ length: CONVERSATIONS }, (_, n) => n);
        const talks: Talk[] = [];
        const lane = async () => {
          for (let name = names.pop(); name !== undefined; name = names.pop()) talks.push(await talk(name));
        };
        await Promise.all(Array.from({ length: LANES }, lane));
        for (const [index, one] of talks.entries()) await check(one, callers[index % 2] as HttpCaller);
        expect(answers.size).toBe(CONVERSATIONS * TURNS);
        expect(new Set(answers.values())).toEqual(new Set([1]));
      } finally {
        await stop();
        answers.clear();
      }
    },
    LONGEST_MS,
  );
});
