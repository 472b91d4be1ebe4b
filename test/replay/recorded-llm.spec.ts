import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { reply } from '#lib/activities/testing';
import { ProposerFailed } from '#lib/decisions/driving';
import { startEngine, type TestEngine } from '../support/engine.js';

interface Exchange {
  readonly kind: 'tool_calls' | 'text' | 'refusal' | 'nochoices' | 'notjson';
  readonly status: number;
  readonly responseBody: string;
}

interface ToolCallReply {
  readonly choices: readonly [
    {
      readonly message: {
        readonly tool_calls: readonly [
          { readonly function: { readonly name: string; readonly arguments: string } },
        ];
      };
    },
  ];
}

/** Real replies of providers. They are not part of this repository: without them this suite says so and skips. */
const file =
  process.env['REDIAL_RECORDED_LLM'] ??
  join(import.meta.dirname, '../../../shared/recorded-llm/exchanges.jsonl');
const exchanges: readonly Exchange[] = existsSync(file)
  ? readFileSync(file, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Exchange)
  : [];

/** Refusals are recorded as `text`. */
function kindOf({ kind, responseBody }: Exchange): Exchange['kind'] {
  return kind === 'text' && /"refusal": *"/.test(responseBody) ? 'refusal' : kind;
}

const machine = {
  machineName: 'recorded',
  initialState: 'asked',
  goalState: 'done',
  states: {
    asked: {
      transitions: Object.fromEntries(
        ['get_current_weather', 'delegate_task_to_members', 'get_joke'].map((name) => [
          name,
          { target: 'done', description: name },
        ]),
      ),
    },
    done: {},
  },
};

function describeExchanges(): void {
  let engine: TestEngine;
  let current = reply();

  beforeAll(async () => {
    engine = await startEngine(() => current);
    await engine.redial.defineMachine(machine);
    await engine.redial.registerProposer({
      specialistId: 'model',
      machineName: 'recorded',
      contextTemplate: 'Decide.',
      modelId: 'recorded-model',
    });
  });

  afterAll(() => engine.stop());

  async function goThrough({ status, responseBody }: Exchange) {
    current = reply({ status, body: responseBody });
    const { sessionId } = await engine.redial.createSession({ machineName: 'recorded' });
    const outcome = await engine.redial
      .submitProposal({ sessionId, specialistId: 'model' })
      .catch((error: unknown) => error);
    const { items: calls } = await engine.redial.listLlmCallsOfSession({ sessionId });
    return { sessionId, outcome, calls };
  }

  const numbered = exchanges.map((exchange, at) => ({ ...exchange, kind: kindOf(exchange), at }));

  /** Never empty, because jest refuses an empty table even where the suite is skipped. */
  function ofKind(...kinds: readonly Exchange['kind'][]) {
    const found = numbered.filter(({ kind }) => kinds.includes(kind));
    return found.length > 0 ? found : [{ kind: 'text', status: 0, responseBody: '', at: -1 } as const];
  }

  it.each(ofKind('tool_calls', 'text', 'refusal', 'nochoices', 'notjson'))(
    'exchange $at ($kind, $status) is recorded byte for byte and replays identically',
    async (exchange) => {
      const { sessionId, calls } = await goThrough(exchange);
      for (const call of calls) {
        expect(call.responseStatus).toBe(exchange.status);
        expect(call.responseBody).toBe(exchange.responseBody);
      }
      expect(await engine.redial.replaySession({ sessionId })).toMatchObject({ identical: true, open: 0 });
    },
  );

  it.each(ofKind('tool_calls'))(
    'exchange $at: the first tool call counts, its arguments are the metaJson',
    async (exchange) => {
      const { outcome, calls } = await goThrough(exchange);
      const called = (JSON.parse(exchange.responseBody) as ToolCallReply).choices[0].message.tool_calls[0]
        .function;
      expect(outcome).toMatchObject({
        transitionName: called.name,
        metaJson: JSON.parse(called.arguments) as object,
      });
      expect(calls).toMatchObject([{ outcome: 'toolCall', rung: 'tools', error: null }]);
    },
  );

  it.each(ofKind('refusal'))(
    'X-D2: exchange $at: a refusal is no tool call, and there is no second call',
    async (exchange) => {
      const { outcome, calls } = await goThrough(exchange);
      expect(outcome).toMatchObject({ failure: { kind: 'refusal', upstreamStatus: 200 } });
      expect(calls.map(({ outcome: read }) => read)).toEqual(['noToolCall']);
    },
  );

  it.each(ofKind('text'))(
    'exchange $at: prose is no tool call, and on the text rung it cannot be read',
    async (exchange) => {
      const { outcome, calls } = await goThrough(exchange);
      expect(outcome).toBeInstanceOf(ProposerFailed);
      expect(outcome).toMatchObject({ failure: { kind: 'unreadable-decision' } });
      expect(calls.map(({ outcome: read }) => read)).toEqual(['noToolCall', 'unreadable']);
    },
  );

  it.each(ofKind('nochoices', 'notjson'))(
    'exchange $at ($status): what is not a completion fails without a second call, and says why',
    async (exchange) => {
      const { outcome, calls } = await goThrough(exchange);
      expect(outcome).toBeInstanceOf(ProposerFailed);
      expect(outcome).toMatchObject({ failure: { upstreamStatus: exchange.status } });
      expect(calls).toMatchObject([
        { outcome: 'failed', responseStatus: exchange.status, error: expect.any(String) },
      ]);
    },
  );
}

const run = exchanges.length > 0 ? describe : describe.skip;
run(
  `replies that providers really sent${exchanges.length > 0 ? '' : ` (skipped: none at ${file})`}`,
  describeExchanges,
);
