import type { Scripted } from './ladder.js';
import { enriched, type LadderStart, plain } from './ladder-start.js';
import {
  contextText,
  decision,
  functionThrows,
  httpReply,
  noReply,
  noWebhookReply,
  strategyResult,
  text,
  toolCall,
  webhookReply,
} from './scripted-replies.js';

interface Sample {
  readonly start: LadderStart;
  readonly script: readonly Scripted[];
}

const usage = { prompt_tokens: 100, completion_tokens: 10 };
const refund = { transitionName: 'refund', toState: 'refunded', reasoning: 'It broke.' };
const wrong = toolCall('refund', { amount: 'five', note: 1 }, { content: 'Pay.', usage });
const reasking: LadderStart = {
  transitions: {
    refund: Object.assign({}, enriched['refund'], { onInvalidArguments: 'reask' as const }),
    wait: 'waiting',
  },
};

/** One history for each way through the ladder. */
export const samples: Readonly<Record<string, Sample>> = {
  'a tool call': { start: {}, script: [toolCall('refund', { amount: 5 }, { content: 'It broke.', usage })] },
  'an unknown tool': { start: {}, script: [toolCall('close', {})] },
  'accepted findings': { start: {}, script: [wrong] },
  'malformed arguments': { start: {}, script: [toolCall('refund', '{"amount":')] },
  'decision JSON': {
    start: {},
    script: [decision({ ...refund, metaJson: { a: [1, { b: null }] } }, { usage })],
  },
  'a text-mode call': { start: {}, script: [text('Hm.', { usage }), decision(refund, { usage })] },
  'an unreadable text': { start: { transitions: plain }, script: [text('Hm.')] },
  'a wrong target': { start: {}, script: [decision({ ...refund, toState: 'escalated' })] },
  'an HTTP error': { start: {}, script: [httpReply(500, 'overloaded')] },
  'a network error': { start: {}, script: [noReply()] },
  retries: {
    start: { maxAttempts: 3 },
    script: [httpReply(429, 'busy'), noReply(), toolCall('escalate', {})],
  },
  'a reask': { start: reasking, script: [wrong, toolCall('refund', { amount: 5 }, { usage })] },
  'a reask in vain': { start: reasking, script: [wrong, wrong] },
  'a reask answered by text': {
    start: reasking,
    script: [wrong, decision({ transitionName: 'wait', toState: 'waiting' })],
  },
  'a context function': {
    start: { context: { contextFnName: 'ticket' } },
    script: [contextText('Ticket 7'), text('Hm.'), decision(refund)],
  },
  'a context function that throws': {
    start: { context: { contextFnName: 'ticket' } },
    script: [functionThrows('no ticket')],
  },
  'a strategy': { start: { strategyFnName: 'first' }, script: [strategyResult({ ...refund, costUSD: 0.5 })] },
  'a strategy webhook': {
    start: { strategyWebhookUrl: 'https://hooks.test/decide' },
    script: [webhookReply(200, { ...refund, metaJson: { a: 1 } })],
  },
  'a strategy webhook that errs, again and again': {
    start: { strategyWebhookUrl: 'https://hooks.test/decide', maxAttempts: 2 },
    script: [noWebhookReply(), webhookReply(500, 'down')],
  },
  'a context webhook': {
    start: { context: { contextWebhookUrl: 'https://hooks.test/facts', webhookTokenName: 'WEBHOOK_TOKEN' } },
    script: [webhookReply(200, 'Ticket 7'), text('Hm.'), decision(refund)],
  },
  'a strategy off the map': { start: { strategyFnName: 'first' }, script: [strategyResult('refund')] },
};
