import { describe, expect, it } from '@jest/globals';
import { type Json, type JsonObject, jsonText, sha256 } from '#lib/kernel';
import { callsOf, endOf, type History, ladder, requestsOf, type Scripted } from './testing/ladder.js';
import { decision, noWebhookReply, text, toolCall, webhookReply } from './testing/scripted-replies.js';
import { ladderStart } from './testing/ladder-start.js';

const refund = { transitionName: 'refund', toState: 'refunded' };
const asking = { strategyWebhookUrl: 'https://hooks.test/decide' };
const reading = {
  context: { contextWebhookUrl: 'https://hooks.test/facts', webhookTokenName: 'WEBHOOK_TOKEN' },
};

const requests = (events: History) => requestsOf(events, 'WebhookCallRequested');

describe('a strategy webhook', () => {
  const end = (status: number, body: Json) => endOf(ladder(asking).replies(webhookReply(status, body))).data;

  it('is one call with the context that the start event refers to, and its answer is the choice', () => {
    const events = ladder(asking).replies(webhookReply(200, { ...refund, reasoning: 'It broke.' }));
    expect(events.map(({ type }) => type)).toEqual([
      'WorkflowStarted',
      'WebhookCallRequested',
      'WebhookCallCompleted',
      'WorkflowEnded',
    ]);
    expect(requests(events)).toEqual([
      {
        stepId: 'strategy#1',
        purpose: 'strategy',
        url: 'https://hooks.test/decide',
        specialistId: 'assistant',
        machineName: 'support',
        tokenName: 'WEBHOOK_TOKEN',
        attempt: 1,
        delayMs: 0,
        timeoutMs: 55_000,
        requestBodyFrom: [{ context: '' }],
        requestBodySha256: sha256(jsonText(ladderStart(asking).context)),
      },
    ]);
    expect(endOf(events).data).toEqual({
      ...refund,
      reasoning: 'It broke.',
      rung: 'strategy',
      latencyMsec: 8,
    });
  });

  it('may leave out the target, and say metaJson and what it cost, as a function may', () => {
    const said = { transitionName: 'refund', metaJson: { a: 1 }, costUSD: 0.5, latencyMsec: 0 };
    expect(end(200, said)).toEqual({ ...said, toState: 'refunded', reasoning: '', rung: 'strategy' });
  });

  it.each<[string, Json]>([
    ['an unknown transition', { transitionName: 'close', toState: 'closed' }],
    ['a hostile name', { transitionName: '__proto__' }],
    ['a target that is not the transition’s', { transitionName: 'refund', toState: 'escalated' }],
    ['a list', [refund]],
    ['a text', '"refund"'],
    ['a number that no event can hold', '{"transitionName":"refund","costUSD":1e999}'],
  ])('fails when it answers %s', (_, body) => {
    expect(end(200, body)).toMatchObject({ failure: { kind: 'invalid-choice' } });
  });

  it.each<[string, string]>([
    ['no JSON', 'refund, please'],
    ['nothing', ''],
    ['JSON nested without end', `${'['.repeat(200)}${']'.repeat(200)}`],
  ])('fails when it answers %s, and says what came', (_, body) => {
    const message = `The reply of the webhook is not JSON: ${body}`;
    expect(end(200, body)).toEqual({ failure: { kind: 'unusable-reply', message, upstreamStatus: 200 } });
  });

  it.each([400, 401, 404, 429, 500, 503])('fails on status %d with status and body', (status) => {
    const message = `Webhook error (${status}): out of order`;
    const failure = { kind: 'http-error', message, upstreamStatus: status };
    expect(end(status, 'out of order')).toEqual({ failure });
    expect(end(status, '')).toMatchObject({ failure: { message: `Webhook error (${status})` } });
  });

  it('tells no more of a long body than its beginning', () => {
    const { failure } = end(500, 'x'.repeat(5000)) as { failure: { message: string } };
    expect(failure.message).toHaveLength('Webhook error (500): …'.length + 500);
  });

  it.each([301, 302, 303, 307, 308])('fails on status %d: redirects are not followed', (status) => {
    expect(end(status, '')).toMatchObject({
      failure: {
        kind: 'http-error',
        message: `Webhook error (${status}), and redirects are not followed`,
        upstreamStatus: status,
      },
    });
  });

  it('fails on 202 with any body: asynchronous answers are not supported', () => {
    const message = 'Webhook error (202): asynchronous answers are not supported';
    expect(end(202, refund)).toEqual({ failure: { kind: 'unusable-reply', message, upstreamStatus: 202 } });
  });

  it('fails when no reply comes, with the words of the network', () => {
    const events = ladder(asking).replies(noWebhookReply({ kind: 'timeout', message: 'too late' }));
    expect(endOf(events).data).toEqual({ failure: { kind: 'timeout', message: 'too late' } });
  });
});

describe('a context webhook', () => {
  const told = (body: Json) =>
    JSON.stringify(callsOf(ladder(reading).replies(webhookReply(200, body), toolCall('escalate', {}))));

  it('is asked once, before the first call of the model, and for all rungs', () => {
    const events = ladder(reading).replies(
      webhookReply(200, 'Ticket 7'),
      text('Hm.', { durationMs: 30 }),
      decision(refund, { durationMs: 20 }),
    );
    expect(requests(events)).toMatchObject([
      { stepId: 'context#1', purpose: 'context', url: 'https://hooks.test/facts' },
    ]);
    expect(callsOf(events).map(({ stepId }) => stepId)).toEqual(['tools#1', 'text#1']);
    for (const { requestBody } of callsOf(events)) expect(JSON.stringify(requestBody)).toContain('Ticket 7');
    expect(endOf(events).data).toMatchObject({ ...refund, rung: 'text', latencyMsec: 50 });
  });

  it("X-D3: tells the model the text of DIAL's { context }", () => {
    expect(told({ context: 'Ticket 7' })).toContain(String.raw`What next?\n\nTicket 7"`);
    expect(told({ context: 'Ticket 7', ttl: 5 })).toContain(String.raw`What next?\n\nTicket 7"`);
    expect(told({ context: 7 })).toContain(String.raw`What next?\n\n{\"context\":7}"`);
  });

  it('X-D10: reads a context behind a byte order mark', () => {
    expect(told('\ufeffTicket 7')).toContain(String.raw`What next?\n\nTicket 7"`);
  });

  it('gives the model a text unchanged, and a JSON string without its quotes', () => {
    expect(told('Ticket 7')).toContain(String.raw`What next?\n\nTicket 7"`);
    expect(told(JSON.stringify('Ticket "7"'))).toContain(String.raw`What next?\n\nTicket \"7\""`);
    expect(told({ ticket: 7 })).toContain(String.raw`What next?\n\n{\"ticket\":7}"`);
    expect(told('')).toContain(String.raw`What next?\n\n"`);
  });

  it.each([
    [webhookReply(500, 'down'), { kind: 'http-error', message: 'Webhook error (500): down' }],
    [webhookReply(202, 'later'), { kind: 'unusable-reply' }],
    [noWebhookReply(), { kind: 'network', message: 'connect ECONNREFUSED' }],
  ])('that gives nothing fails the solicitation before the model is called', (outcome, failure) => {
    const events = ladder(reading).replies(outcome);
    expect(callsOf(events)).toEqual([]);
    expect(endOf(events).data).toMatchObject({ failure });
  });
});

describe('another attempt', () => {
  it('is not made unless the policy says so', () => {
    expect(requests(ladder(asking).replies(webhookReply(500, '')))).toHaveLength(1);
  });

  it('is a request of its own, after the time that the other side asks for', () => {
    const events = ladder({ ...asking, maxAttempts: 3 }).replies(
      webhookReply(429, '', { headers: { 'retry-after': '2' } }),
      noWebhookReply(),
      webhookReply(200, refund),
    );
    expect(requests(events)).toMatchObject([
      { attempt: 1, delayMs: 0, stepId: 'strategy#1' },
      { attempt: 2, delayMs: 2000, stepId: 'strategy#2' },
      { attempt: 3, delayMs: 1000, stepId: 'strategy#3' },
    ]);
    expect(endOf(events).data).toMatchObject({ ...refund, latencyMsec: 8 + 5 + 8 });
  });

  it.each([
    [webhookReply(404, '')],
    [webhookReply(302, '')],
    [webhookReply(202, '')],
    [webhookReply(200, 'not JSON')],
    [noWebhookReply({ retryable: false })],
  ])('is not made where it would be in vain', (outcome) => {
    expect(requests(ladder({ ...asking, maxAttempts: 3 }).replies(outcome))).toHaveLength(1);
  });

  it('does not count against the attempts of the model that gets the context', () => {
    const events = ladder({ ...reading, maxAttempts: 2 }).replies(
      noWebhookReply(),
      webhookReply(200, 'Ticket 7'),
      toolCall('escalate', {}),
    );
    expect(callsOf(events)).toMatchObject([{ attempt: 1, delayMs: 0 }]);
    expect(endOf(events).data).toMatchObject({ transitionName: 'escalate', latencyMsec: 10 });
  });
});

it('a body that is not text is no answer', () => {
  const binary: Scripted = (call) => {
    const outcome = webhookReply(200, '//79fQ==')(call);
    if (!('completed' in outcome)) throw new TypeError();
    const body = { ...(outcome.completed['body'] as JsonObject), encoding: 'base64' };
    return { completed: { ...outcome.completed, body } };
  };
  const events = ladder(asking).replies(binary);
  const message = 'The reply of the webhook is not UTF-8 text';
  expect(endOf(events).data).toMatchObject({ failure: { kind: 'unusable-reply', message } });
});
