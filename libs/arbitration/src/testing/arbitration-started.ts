import type { ArbiterContext } from '#lib/session';
import type { ArbiterCallee, ArbitrationStarted } from '../arbitration.events.js';
import { ARBITRATION_VERSION } from '../arbitration-versions.js';

export const ARBITRATION_ID = '0d9f7a52-7b0c-4c55-9d0e-5a3f8f6f0b01';

export const byFunction: ArbiterCallee = { kind: 'function', strategyFnName: 'majority' };
export const byWebhook: ArbiterCallee = {
  kind: 'webhook',
  url: 'https://judge.test/v1?x=1',
  tokenName: 'JUDGE_TOKEN',
};

export const context: ArbiterContext = {
  sessionId: '0d9f7a52-7b0c-4c55-9d0e-5a3f8f6f0b02',
  roundId: '0d9f7a52-7b0c-4c55-9d0e-5a3f8f6f0b03',
  machineName: 'support',
  currentState: 'triage',
  prompt: 'What next?',
  proposals: [
    {
      proposalId: 'proposal-1',
      specialistId: 'assistant',
      specialistVersion: 1,
      isHuman: false,
      transitionName: 'refund',
      toState: 'refunded',
      reasoning: 'It broke.',
    },
  ],
  alignment: { assistant: 0.5 },
  history: [],
  threshold: 0.4,
};

/** A start event, as the engine would write it. */
export function arbitrationStarted(arbiter: ArbiterCallee = byFunction, maxAttempts = 1): ArbitrationStarted {
  const { sessionId, roundId, machineName } = context;
  return {
    type: 'ArbitrationStarted',
    data: {
      arbitrationId: ARBITRATION_ID,
      sessionId,
      roundId,
      machineName,
      arbiterId: 'judge',
      workflowVersion: ARBITRATION_VERSION,
      arbiter,
      policies: { maxAttempts, callTimeoutMs: 5000 },
      context,
    },
  };
}
