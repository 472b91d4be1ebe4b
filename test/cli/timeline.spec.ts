import { oneLine, type RecordedEvent } from '#lib/kernel';
import { describe, expect, it } from '@jest/globals';
import { table } from '../../apps/cli/src/format/table.js';
import type { TimelineEvent } from '../../apps/cli/src/timeline/session-timeline.js';
import { terminal } from '../../apps/cli/src/terminal.js';
import { roundLines } from '../../apps/cli/src/timeline/round-lines.js';
import { TimelinePrinter } from '../../apps/cli/src/timeline/timeline-printer.js';
import { TextSink } from './command-line.js';

function recorded(type: string, data: object, occurredAt = '2026-01-01T00:00:00.000Z'): TimelineEvent {
  const place = { eventId: 'e', schemaVersion: 1, stream: 's', revision: 0, position: 'p.1' };
  const metadata = {
    schemaVersion: 1,
    occurredAt,
    correlationId: 's',
    causationId: 'c',
    commandId: 'c',
    actor: 'a',
  };
  const event: RecordedEvent = { type, data, ...place, occurredAt, metadata };
  return event as TimelineEvent;
}

class Terminal extends TextSink {
  readonly isTTY = true;
}

const failure = { kind: 'timeout', message: 'too late', retryable: true, durationMs: 5 };
const choice = {
  transitionName: 'go',
  toState: 'there',
  reasoning: '',
  proposalId: 'p',
  specialistId: 'ann',
  isHuman: true,
};

describe('the timeline', () => {
  it.each<[string, object, string]>([
    [
      'SessionCreated',
      { machineName: 'door', machineVersion: 2, initialState: 'closed', metaJson: { a: 1 } },
      'door version 2 starts in closed  {"a":1}',
    ],
    ['ProposalSolicited', { specialistId: 'clerk' }, 'clerk is asked'],
    [
      'ProposalFailed',
      { specialistId: 'clerk', failure },
      'clerk gave no proposal (timeout); the session stays where it is',
    ],
    [
      'TransitionExecuted',
      { fromState: 'here', transitionName: 'go', toState: 'there', metaJson: { a: 1 } },
      'here ── go ──▶ there  {"a":1}',
    ],
    ['ProposalSubmitted', choice, 'ann (a person) proposes go → there'],
    [
      'ProposalSetAside',
      { ...choice, isHuman: false, reason: 'late' },
      'ann proposed go → there: set aside as late',
    ],
    [
      'ArbitrationRequested',
      { arbiter: { specialistId: 'judge' }, proposals: [choice] },
      'judge is asked for a verdict on 1 proposal',
    ],
    [
      'ConsensusReached',
      { arbiter: { specialistId: 'judge' }, reasoning: 'margin 0.50' },
      'judge sees consensus: margin 0.50',
    ],
    [
      'ConsensusNotReached',
      { arbiter: { specialistId: 'judge' }, reasoning: 'a\ntie' },
      'judge sees no consensus: a tie',
    ],
    [
      'VerdictSetAside',
      { verdict: { reasoning: 'ann' }, reason: 'invalid' },
      'the verdict "ann" is set aside as invalid',
    ],
    ['ArbitrationFailed', { failure }, 'the arbiter gave no verdict (timeout): too late'],
    [
      'HumanInputRequested',
      { reason: 'no-arbiter', detail: 'nobody judges' },
      'a person is needed (no-arbiter): nobody judges',
    ],
    [
      'HumanOverrideAccepted',
      { ...choice, reasoning: 'I know' },
      'ann (a person) decides go → there  "I know"',
    ],
    [
      'WorkflowStarted',
      { workflow: 'arbitration', version: 1, facts: {} },
      '  WorkflowStarted        arbitration version 1',
    ],
    ['FunctionCallRequested', { fnName: 'mine', attempt: 2 }, 'function mine is asked, attempt 2'],
    ['FunctionCallCompleted', { result: { ok: true }, durationMs: 3 }, 'in 3 ms: {"ok":true}'],
    ['FunctionCallFailed', { failure }, 'timeout: too late'],
    [
      'BudgetCheckRequested',
      { per: 'day', max: { maxTokens: 9 }, estimate: { tokens: 5, costUSD: 0 } },
      'a call that may use 5 of 9 tokens, for a budget per day',
    ],
    [
      'BudgetChecked',
      { spent: { tokens: 5, costUSD: 0.1 }, max: { maxUSD: 2 } },
      'spent before: 0.1 of 2 US dollars',
    ],
    ['BudgetCheckFailed', { failure }, 'timeout: too late'],
    ['TimerStarted', { stepId: 'pause#2', afterMs: 500 }, 'waits for 500 ms'],
    ['TimerFired', { stepId: 'pause#2' }, 'pause#2'],
    ['WorkflowEnded', { status: 'completed', result: { ok: true } }, 'completed: {"ok":true}'],
    ['WorkflowEnded', { status: 'failed', failure }, 'timeout: too late'],
    ['WorkflowGivenUp', { reason: 'no use' }, 'no use'],
    ['LlmCallFailed', { failure }, 'timeout: too late'],
    ['LlmCallRequested', { labels: { round: 2 }, body: { model: 'gpt-4o' } }, 'model gpt-4o is asked'],
    [
      'WorkflowStarted',
      {
        workflow: 'solicitation',
        version: 1,
        facts: { proposer: { kind: 'model', routes: [{ modelId: 'gpt-4o' }] } },
      },
      'model gpt-4o is asked',
    ],
    [
      'WorkflowEnded',
      { status: 'completed', result: { transitionName: 'go', toState: 'there', rung: 'decision' } },
      'go → there, by the decision in the text',
    ],
    [
      'WebhookCallRequested',
      { purpose: 'strategy', attempt: 2, url: 'https://hooks.example/' },
      'webhook https://hooks.example/ is asked for the choice, attempt 2',
    ],
    [
      'WebhookCallCompleted',
      { status: 500, durationMs: 2, body: { content: 'out\nof order' } },
      '500 in 2 ms: out of order',
    ],
    ['WebhookCallFailed', { failure }, 'timeout: too late'],
    ['LlmCallRequested', { labels: { rung: 'text' }, attempt: 2, body: {} }, 'asked for as JSON, attempt 2'],
    [
      'LlmCallRequested',
      { labels: { rung: 'tools' }, attempt: 1, body: { tools: [7] } },
      'tool call: ? are offered',
    ],
    [
      'LlmCallRequested',
      { labels: { rung: 'tools' }, attempt: 2, body: { tools: { sha256: '9b91' } } },
      'tool call: the same tools are offered, attempt 2',
    ],
    [
      'LlmCallRequested',
      { labels: { rung: 'tools' }, attempt: 2, body: { messages: [] }, bodySha256: '[erased]' },
      'tool call, attempt 2',
    ],
    [
      'LlmCallRequested',
      { labels: { rung: 'tools' }, attempt: 2, body: { messages: [] }, bodySha256: '9b91' },
      'call without tools: the decision is asked for as JSON, attempt 2',
    ],
  ])('says what happened at %s', (type, data, words) => {
    const out = new TextSink();
    new TimelinePrinter(out).print(recorded(type, data));
    expect(out.lines).toEqual([expect.stringContaining(words)]);
  });

  it('counts the time from its first event', () => {
    const out = new TextSink();
    const printer = new TimelinePrinter(out);
    printer.print(recorded('ProposalSolicited', choice));
    printer.print(recorded('ProposalSubmitted', choice, '2026-01-01T00:01:02.345Z'));
    expect(out.lines.map((line) => line.slice(0, 11))).toEqual(['    0.000 s', '   62.345 s']);
  });

  it('shows on a terminal alone, and until something comes, that somebody is waited for', () => {
    const asked = recorded('LlmCallRequested', {
      labels: { rung: 'text' },
      attempt: 1,
      body: { model: 'gpt-4o' },
    });
    const [tty, pipe] = [new Terminal(), new TextSink()];
    for (const out of [tty, pipe]) {
      const printer = new TimelinePrinter(terminal(out));
      printer.print(asked);
      printer.end();
    }
    expect(tty.text).toContain('gpt-4o is thinking … 0 s');
    expect(tty.text.endsWith('\r\u001B[2K')).toBe(true);
    expect(pipe.text).not.toContain('thinking');
    expect(pipe.text).not.toContain('\u001B');
  });

  it('shows on a terminal the end of what the model writes, each call apart, and nothing of it elsewhere', () => {
    const asked = recorded('LlmCallRequested', {
      labels: { rung: 'text' },
      attempt: 1,
      body: { model: 'm' },
    });
    const [tty, pipe] = [new Terminal(), new TextSink()];
    for (const out of [tty, pipe]) {
      const printer = new TimelinePrinter(terminal(out));
      printer.print(asked);
      for (const [callId, text] of [
        ['a', `${'x'.repeat(100)}Approve`],
        ['b', 'Deny'],
        ['a', ' it\u001B[2J'],
      ] as const)
        printer.hear({ stream: 's', callId, text });
      printer.end();
    }
    const frames = tty.text.split('\r\u001B[2K');
    expect(frames.slice(-4)).toEqual([
      expect.stringContaining('xxxApprove 0 s'),
      expect.stringContaining('m writes …Deny 0 s'),
      expect.stringContaining('xxxApprove it [2J 0 s'),
      '',
    ]);
    expect(Math.max(...frames.map(({ length }) => length))).toBeLessThan(120);
    expect(pipe.text).not.toContain('Approve');
  });

  it('takes no control over a terminal from what models say', () => {
    expect(oneLine('a\u001B[2Jb\r\n\tc\u202Ed')).toBe('a [2Jb c d');
    expect(oneLine('x'.repeat(200), 10)).toBe('xxxxxxxxx…');
  });
});

it('a round is open until it is decided, or its session is closed', () => {
  const begun = recorded('SessionCreated', { roundId: 'one', machineName: 'door', initialState: 'shut' });
  const closed = recorded('SessionClosed', { roundId: 'one', by: 'operator' });
  const headOf = (...events: readonly TimelineEvent[]) => roundLines(events, false, (_, text) => text)[0];
  expect(headOf(begun)).toBe('  round 1  open (1 event, 0 calls to models)');
  expect(headOf(begun, closed)).toBe('  round 1  closed (2 events, 0 calls to models)');
});

describe('table', () => {
  it('makes columns as wide as their widest cell, those of numbers aligned right', () => {
    const columns = { name: ({ name }: { name: string }) => name, n: ({ n }: { n?: number }) => n };
    const items = [{ name: 'a', n: 100 }, { name: 'much longer', n: 7 }, { name: 'b' }];
    expect(table(columns, items)).toEqual([
      '  name           n',
      '  a            100',
      '  much longer    7',
      '  b              -',
    ]);
  });
});
