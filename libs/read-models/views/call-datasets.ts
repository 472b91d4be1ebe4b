import { llmCallsTable } from '../llm-calls/llm-calls.tables.js';
import { columnIs, type Dataset, dataset } from './dataset.js';
import type { SqlWords } from './sql-words.js';

const source = {
  from: `${llmCallsTable.name} c`,
  where: "c.origin = 'live'",
  key: 'c.number',
  time: 'c.requested_at',
  machine: 'c.machine_name',
};

const IS_PRICED = 'c.price is not null and c.prompt_tokens is not null and c.completion_tokens is not null';

/**
 * US dollars by the price in force at the request, as in `tokenCost`; null without a price, or without reported tokens.
 * PostgreSQL parses the JSON text of a price for each of its members: members for 0 tokens are not read.
 */
function costOf(words: SqlWords): string {
  const price = (member: string) => words.number('c.price', member);
  const [input, output] = [price('inputPerMillion'), price('outputPerMillion')];
  const cached = (tokens: string, member: string) =>
    `case when ${tokens} = 0 then 0 else ${tokens} * coalesce(${price(member)}, ${input}) end`;
  return `(case when ${IS_PRICED} then (
    (c.prompt_tokens - c.cache_read_tokens - c.cache_write_tokens) * ${input}
    + ${cached('c.cache_read_tokens', 'cacheReadPerMillion')}
    + ${cached('c.cache_write_tokens', 'cacheWritePerMillion')}
    + c.completion_tokens * ${output}) / 1000000.0 end)`;
}

const callsDataset = dataset({
  name: 'calls',
  about: 'One row for each call to a model, without request and reply.',
  columns: {
    call_id: columnIs.id('The id of the call'),
    run_id: columnIs.id('The run that made it'),
    workflow: columnIs.text('The workflow of the run'),
    session_id: columnIs.id('The session of the call; null without one'),
    round_id: columnIs.id('The round of the call; null without one'),
    solicitation_id: columnIs.id('The solicitation of the call; null without one'),
    machine_name: columnIs.text('The machine of the session'),
    specialist_id: columnIs.text('The specialist that was asked'),
    specialist_version: columnIs.number('The version of the specialist'),
    provider: columnIs.text('The provider'),
    model: columnIs.text('The name of the model at the provider'),
    resolved_model: columnIs.text('The model named in the reply'),
    rung: columnIs.text('`tools`, `text`, `structured` or `reask`, of a solicitation'),
    attempt: columnIs.number('Over all models of one question, from 1'),
    outcome: columnIs.text(
      '`toolCall`, `decision`, `noToolCall`, `unreadable`, `failed`, `erased` (with its subject) or `pending`',
    ),
    response_status: columnIs.number('The HTTP status; null without a reply'),
    duration_ms: columnIs.number('Milliseconds until the whole reply'),
    first_token_ms: columnIs.number('Milliseconds until the first part of a streamed reply'),
    prompt_tokens: columnIs.number('As the reply reports it'),
    completion_tokens: columnIs.number('As the reply reports it'),
    cache_read_tokens: columnIs.number('A part of the prompt; 0 if none is reported'),
    cache_write_tokens: columnIs.number('A part of the prompt; 0 if none is reported'),
    reasoning_tokens: columnIs.number('A part of the completion; 0 if none is reported'),
    cost_usd: columnIs.number(
      'By the price in force at the request; null without a price, or if the tokens are unknown',
    ),
    price_version: columnIs.text('The version of the price table'),
    requested_at: columnIs.text('The time of the request'),
    completed_at: columnIs.text('The time of its end; null while it is open'),
    day: columnIs.text('The UTC day of the request'),
  },
  parts: (words) => [
    {
      ...source,
      values: {
        call_id: 'c.call_id',
        run_id: 'c.run_id',
        workflow: 'c.workflow',
        session_id: 'c.session_id',
        round_id: 'c.round_id',
        solicitation_id: 'c.solicitation_id',
        machine_name: 'c.machine_name',
        specialist_id: 'c.specialist_id',
        specialist_version: 'c.specialist_version',
        provider: 'c.provider',
        model: 'c.model',
        resolved_model: 'c.resolved_model',
        rung: 'c.rung',
        attempt: 'c.attempt',
        outcome: 'c.outcome',
        response_status: 'c.response_status',
        duration_ms: 'c.duration_ms',
        first_token_ms: 'c.first_token_ms',
        prompt_tokens: 'c.prompt_tokens',
        completion_tokens: 'c.completion_tokens',
        cache_read_tokens: 'c.cache_read_tokens',
        cache_write_tokens: 'c.cache_write_tokens',
        reasoning_tokens: 'c.reasoning_tokens',
        cost_usd: costOf(words),
        price_version: words.text('c.price', 'version'),
        requested_at: words.time('c.requested_at'),
        completed_at: words.time('c.completed_at'),
        day: words.day('c.requested_at'),
      },
    },
  ],
});

const costsDataset = dataset({
  name: 'costs',
  about: 'One row for the calls of a UTC day, a machine, a specialist and a model.',
  columns: {
    day: columnIs.text('The UTC day of the requests'),
    machine_name: columnIs.text('The machine; null for calls of no session'),
    specialist_id: columnIs.text('The specialist that was asked; null for calls of no session'),
    provider: columnIs.text('The provider'),
    model: columnIs.text('The name of the model at the provider'),
    calls: columnIs.number('The number of calls'),
    failed_calls: columnIs.number('The number of failed calls'),
    unpriced_calls: columnIs.number(
      'The number of calls without a cost: no price was in force, or the tokens are unknown',
    ),
    input_tokens: columnIs.number('Tokens of the prompts'),
    output_tokens: columnIs.number('Tokens of the completions'),
    cost_usd: columnIs.number('The cost of the calls that have one; null if none has'),
  },
  parts: (words) => [
    {
      ...source,
      values: {
        day: words.day('c.requested_at'),
        machine_name: 'c.machine_name',
        specialist_id: 'c.specialist_id',
        provider: 'c.provider',
        model: 'c.model',
        calls: 'count(*)',
        failed_calls: "count(case when c.outcome = 'failed' then 1 end)",
        unpriced_calls: `count(*) - count(case when ${IS_PRICED} then 1 end)`,
        input_tokens: 'coalesce(sum(c.prompt_tokens), 0)',
        output_tokens: 'coalesce(sum(c.completion_tokens), 0)',
        cost_usd: `sum(${costOf(words)})`,
      },
      groupBy: ['day', 'machine_name', 'specialist_id', 'provider', 'model'],
    },
  ],
});

export const datasetsOfCalls: readonly Dataset[] = [callsDataset, costsDataset];
