import { type JsonDifference, sha256 } from '#lib/kernel';
import type { ActivityFailure, Workflow } from '#lib/workflow';
import type { SolicitationEvent } from './solicitation.events.js';
import { evolveSolicitation, startSolicitation } from './solicitation.evolve.js';
import { nextStep } from './solicitation.next.js';
import type { SolicitationState } from './solicitation.state.js';

/** The workflow that asks one proposer for one proposal. */
export const solicitation: Workflow<SolicitationState, SolicitationEvent> = {
  name: 'solicitation',
  startType: 'SolicitationStarted',
  endTypes: ['SolicitationSucceeded', 'SolicitationFailed'],
  initialState: startSolicitation,
  evolve: evolveSolicitation,
  pending: (state) => state.pending,
  next: nextStep,
  failed: failedOutcome,
  damage: damagedBody,
};

function failedOutcome(request: SolicitationEvent, failure: ActivityFailure): SolicitationEvent {
  switch (request.type) {
    case 'ContextRequested':
      return { type: 'ContextFailed', data: { callId: request.data.callId, failure } };
    case 'StrategyCallRequested':
      return { type: 'StrategyCallFailed', data: { callId: request.data.callId, failure } };
    case 'LlmCallRequested':
      return { type: 'LlmCallFailed', data: { callId: request.data.callId, failure } };
    default:
      return request;
  }
}

function damagedBody(event: SolicitationEvent): JsonDifference | undefined {
  if (event.type !== 'LlmCallCompleted') return undefined;
  const { content, sha256: recorded } = event.data.body;
  const replayed = sha256(content);
  return recorded === replayed ? undefined : { pointer: '/body/sha256', recorded, replayed };
}
