import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  httpError,
  noAnswer,
  partialReply,
  reply,
  streamed,
  type ScriptedReply,
  text,
  toolCall,
} from '#lib/activities/testing';
import { ofType, ProvidersSetting } from '../support/providers-setting.js';

describe('a provider that fails', () => {
  let setting: ProvidersSetting;
  /** The next reply of either provider. */
  let queue: ScriptedReply[] = [];
  beforeAll(async () => {
    const limits = { timeoutMs: 60_000, firstByteTimeoutMs: 1_000, idleTimeoutMs: 1_000 };
    setting = await ProvidersSetting.start(limits, {}, () => queue.shift() ?? pay);
  });
  afterAll(() => setting.stop());

  const pay = toolCall('pay', {});
  const decision = text({ transitionName: 'pay', toState: 'done' });
  const past = 'Thu, 01 Jan 2026 00:00:00 GMT';
  const structured = { modelParameters: { responseFormat: 'json_schema' } };
  const streaming = { modelParameters: { stream: true } };
  /** The message of a reply as one chunk of a stream. */
  const called = ({ body }: ScriptedReply) => {
    const { choices } = JSON.parse(body as string) as { choices: [{ message: object }] };
    return [{ choices: [{ index: 0, delta: choices[0].message }] }];
  };
  const toBackup = (reason: string) => [{ to: 'us/spare', reason }];
  const usage = (counts: object) =>
    reply({ body: (pay.body as string).replace('{', `{"usage":${JSON.stringify(counts)},`) });
  const cached = { tokens: { inputUncached: 6, cacheRead: 3, cacheWrite: 0, output: 4 } };

  /** Its answers before a call of a tool, the calls in the audit, and the fallbacks. */
  const behaviours: readonly (readonly [
    name: string,
    script: readonly ScriptedReply[],
    calls: readonly object[],
    fallbacks: readonly object[],
    registration?: object,
  ])[] = [
    [
      'refuses response_format',
      [httpError(400, { error: { param: 'response_format', message: 'Unknown parameter' } }), decision],
      [{ outcome: 'failed' }, { rung: 'structured', outcome: 'decision' }],
      [{ from: 'response_format', to: 'none', reason: 'format-refused' }],
      structured,
    ],
    [
      'knows response_format',
      [decision],
      [{ rung: 'structured', outcome: 'decision', responseStatus: 200 }],
      [],
      structured,
    ],
    [
      'is busy, and says in seconds and by a date when to come back',
      [
        reply({ status: 529, headers: { 'retry-after': '0' } }),
        reply({ status: 429, headers: { 'retry-after': past } }),
      ],
      [{ responseStatus: 529 }, { responseStatus: 429, attempt: 2 }, { attempt: 3, outcome: 'toolCall' }],
      [],
    ],
    ['sends no first byte', [noAnswer()], [{ outcome: 'failed' }, { provider: 'us' }], toBackup('timeout')],
    [
      'stalls in its reply',
      [partialReply('{"choices":', 'hang')],
      [
        { responseIncomplete: true, responseBody: '{"choices":' },
        { provider: 'us', attempt: 2 },
      ],
      toBackup('timeout'),
    ],
    [
      'cuts its reply',
      [partialReply('{"choices":', 'drop')],
      [{ responseIncomplete: true, responseStatus: 200 }, { provider: 'us' }],
      toBackup('network'),
    ],
    [
      'streams its reply',
      [streamed(called(pay))],
      [{ outcome: 'toolCall', firstTokenMs: expect.any(Number) }],
      [],
      streaming,
    ],
    [
      'streams structured output',
      [streamed(called(decision))],
      [{ rung: 'structured', outcome: 'decision', firstTokenMs: expect.any(Number) }],
      [],
      { modelParameters: { stream: true, responseFormat: 'json_schema' } },
    ],
    [
      'stalls in its stream',
      [streamed(called(pay), { end: '', ending: 'hang' })],
      [{ responseIncomplete: true, responseStatus: 200 }, { provider: 'us' }],
      toBackup('timeout'),
      streaming,
    ],
    [
      'cuts its stream',
      [streamed(called(pay), { end: '', ending: 'drop' })],
      [{ responseIncomplete: true, responseStatus: 200 }, { provider: 'us' }],
      toBackup('network'),
      streaming,
    ],
    [
      'ends its stream before the reply',
      [streamed(called(pay), { end: '' })],
      [{ outcome: 'failed', responseStatus: 200 }, { provider: 'us' }],
      toBackup('incomplete'),
      streaming,
    ],
    [
      'reports usage that cannot be',
      [usage({ prompt_tokens: -5, completion_tokens: 2.5 })],
      [{ tokens: { inputUncached: 0, output: 0 } }],
      [],
    ],
    [
      'reports cached tokens as OpenAI',
      [usage({ prompt_tokens: 9, completion_tokens: 4, prompt_tokens_details: { cached_tokens: 3 } })],
      [cached],
      [],
    ],
    [
      'reports cached tokens as Anthropic',
      [usage({ input_tokens: 6, cache_read_input_tokens: 3, output_tokens: 4 })],
      [cached],
      [],
    ],
    [
      'reports cached tokens as DeepSeek',
      [usage({ prompt_cache_hit_tokens: 3, prompt_cache_miss_tokens: 6, completion_tokens: 4 })],
      [cached],
      [],
    ],
  ];

  /** A session with a model of its own; its requests on the wire are the requests in its events and in the audit. */
  async function played(model: string, script: readonly ScriptedReply[], registration: object = {}) {
    await setting.register(`eu/${model}`, { backupModels: ['us/spare'], ...registration });
    queue = [...script];
    const before = setting.eu.requests.length + setting.us.requests.length;
    const { asked, events, calls } = await setting.propose();
    const onTheWire = setting.eu.requests.length + setting.us.requests.length - before;
    expect([ofType(events, 'LlmCallRequested').length, calls.length]).toEqual([onTheWire, onTheWire]);
    return { asked, calls, fallbacks: ofType(events, 'FallbackTaken'), onTheWire };
  }

  it.each(behaviours)(
    'that %s: calls, events, audit and replay',
    async (name, script, calls, steps, more = {}) => {
      const proposal = await played(name.replaceAll(' ', '-'), script, more);
      expect(proposal.asked).toMatchObject({ status: 201, body: { transitionName: 'pay' } });
      expect(proposal.calls).toMatchObject(calls);
      expect(proposal.fallbacks).toMatchObject(steps);
    },
  );

  it('in any order of failures is asked once for each request that is recorded', async () => {
    const again = { 'retry-after-ms': '0' };
    const failure = fc.constantFrom(
      reply({ status: 429, headers: again }),
      reply({ status: 503, headers: again }),
      httpError(400, { error: { param: 'temperature', message: 'must be at most 2' } }),
      httpError(504),
      partialReply('{', 'drop'),
      text('Hm.'),
    );
    let run = 0;
    const property = fc.asyncProperty(fc.array(failure, { maxLength: 4 }), async (failures) => {
      const { onTheWire, asked } = await played(`random-${run++}`, failures);
      expect([201, 502]).toContain(asked.status);
      expect(onTheWire).toBeLessThanOrEqual(failures.length + 1);
    });
    await fc.assert(property, { numRuns: 15 });
  });
});
