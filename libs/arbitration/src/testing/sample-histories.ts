import { playScript, type ScriptedOutcome } from '#lib/legacy-workflow/testing';
import type { ArbiterCallee, ArbitrationEvent } from '../arbitration.events.js';
import { arbitration } from '../arbitration.workflow.js';
import { arbitrationStarted, byFunction, byWebhook } from './arbitration-started.js';
import { fails, replies, returns } from './scripted-answers.js';

/** The whole history of an arbitration whose calls are answered by this script, in order. */
export function arbitrated(
  arbiter: ArbiterCallee,
  script: readonly ScriptedOutcome<ArbitrationEvent>[],
  maxAttempts = 1,
): readonly ArbitrationEvent[] {
  return playScript(arbitration, arbitrationStarted(arbiter, maxAttempts), script);
}

const winner = {
  consensusReached: true,
  winningProposalId: 'proposal-1',
  reasoning: 'All agree.',
  margin: 0.5,
};

/** One history for each way through an arbitration. */
export const samples: Readonly<Record<string, readonly ArbitrationEvent[]>> = {
  'a function that sees consensus': arbitrated(byFunction, [returns(winner)]),
  'a function that sees none': arbitrated(byFunction, [returns({ consensusReached: false })]),
  'a function that returns no verdict': arbitrated(byFunction, [returns(['refund'])]),
  'a function that throws': arbitrated(byFunction, [
    fails({ kind: 'function', message: 'the judge is out', retryable: false }),
  ]),
  'a webhook that sees consensus': arbitrated(byWebhook, [replies(200, winner)]),
  'a webhook that answers with an error': arbitrated(byWebhook, [replies(500, 'down')]),
  'a webhook that answers with no JSON': arbitrated(byWebhook, [replies(200, 'Yes!')]),
  'a webhook that answers the third time': arbitrated(
    byWebhook,
    [fails(), replies(429, 'slow down', { 'retry-after': '2' }), replies(200, winner)],
    3,
  ),
};
