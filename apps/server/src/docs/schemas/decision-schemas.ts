import { choice, flag, json, list, number, object, ref, text, uuid, whole } from './schema.js';

const tickResult = object({
  sessionId: uuid,
  machineName: text,
  status: choice('solicited', 'advanced', 'needs_human', 'failed'),
  currentState: text,
  'specialistId?': text,
  'previousState?': text,
  'transitionName?': text,
  'reasoning?': text,
  'failure?': object({ kind: text, message: text }),
});

export const decisionSchemas = {
  Consensus: object({
    consensusReached: flag,
    'winningProposalId?': uuid,
    reasoning: text,
    'margin?': number,
    'threshold?': number,
    quorum: object({ needed: whole, present: whole }),
  }),
  ArbitrationResult: object({
    arbitrationId: uuid,
    sessionId: uuid,
    roundId: text,
    'specialistId?': text,
    stale: flag,
    guardsPass: flag,
    guardReason: text,
    'winningProposalId?': uuid,
    'transitionName?': text,
    'toState?': text,
    'reasoning?': text,
    executed: flag,
    isHuman: flag,
    'decidedBy?': text,
    'metaJson?': json,
  }),
  TickResult: { anyOf: [tickResult, { type: 'null' }] },
  TickResults: list(ref('TickResult')),
};
