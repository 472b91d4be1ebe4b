import type { JsonDifference } from '#lib/kernel';
import { damagedBody } from '#lib/calls';
import type { ActivityFailure, Workflow } from '#lib/legacy-workflow';
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
  damage,
};

function failedOutcome(request: SolicitationEvent, failure: ActivityFailure): SolicitationEvent {
  switch (request.type) {
    case 'ContextRequested':
      return { type: 'ContextFailed', data: { callId: request.data.callId, failure } };
    case 'StrategyCallRequested':
      return { type: 'StrategyCallFailed', data: { callId: request.data.callId, failure } };
    case 'WebhookCallRequested':
      return { type: 'WebhookCallFailed', data: { callId: request.data.callId, failure } };
    case 'LlmCallRequested':
      return { type: 'LlmCallFailed', data: { callId: request.data.callId, failure } };
    default:
      return request;
  }
}

function damage(event: SolicitationEvent): JsonDifference | undefined {
  switch (event.type) {
    case 'LlmCallCompleted':
    case 'LlmCallFailed':
    case 'WebhookCallCompleted':
    case 'WebhookCallFailed':
      return damagedBody(event.data);
    default:
      return undefined;
  }
}
