import type { JsonDifference } from '#lib/kernel';
import { damagedBody } from '#lib/calls';
import type { ActivityFailure, Workflow } from '#lib/legacy-workflow';
import type { ArbitrationEvent } from './arbitration.events.js';
import { evolveArbitration, startArbitration } from './arbitration.evolve.js';
import { nextStep } from './arbitration.next.js';
import type { ArbitrationState } from './arbitration.state.js';

/** The workflow that asks one arbiter, a function or a webhook, for one verdict. */
export const arbitration: Workflow<ArbitrationState, ArbitrationEvent> = {
  name: 'arbitration',
  startType: 'ArbitrationStarted',
  endTypes: ['VerdictReached', 'VerdictFailed'],
  initialState: startArbitration,
  evolve: evolveArbitration,
  pending: (state) => state.pending,
  next: nextStep,
  failed: failedOutcome,
  damage,
};

function failedOutcome(request: ArbitrationEvent, failure: ActivityFailure): ArbitrationEvent {
  if (request.type !== 'ArbiterCallRequested') return request;
  return { type: 'ArbiterCallFailed', data: { callId: request.data.callId, failure } };
}

function damage(event: ArbitrationEvent): JsonDifference | undefined {
  if (event.type === 'ArbiterCallFailed') return damagedBody(event.data);
  return event.type === 'ArbiterCallCompleted' && 'body' in event.data ? damagedBody(event.data) : undefined;
}
