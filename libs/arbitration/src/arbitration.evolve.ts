import type {
  ArbiterCallCompleted,
  ArbiterCallFailed,
  ArbiterCallRequested,
  ArbitrationEvent,
  ArbitrationStarted,
} from './arbitration.events.js';
import type { ArbiterReply, ArbitrationState } from './arbitration.state.js';
import { readAnswer, unanswered } from './read-answer.js';

export function startArbitration(start: ArbitrationEvent): ArbitrationState {
  return { start: (start as ArbitrationStarted).data, requests: 0 };
}

/** Total: an outcome that answers no pending request changes nothing. */
export function evolveArbitration(state: ArbitrationState, event: ArbitrationEvent): ArbitrationState {
  switch (event.type) {
    case 'ArbiterCallRequested':
      return { ...state, pending: event, requests: state.requests + 1 };
    case 'ArbiterCallCompleted':
      return answers(state.pending, event) ? settled(state, readAnswer(event.data)) : state;
    case 'ArbiterCallFailed':
      return answers(state.pending, event) ? settled(state, unanswered(event.data.failure)) : state;
    case 'ArbitrationStarted':
    case 'VerdictReached':
    case 'VerdictFailed':
      return state;
    default:
      event satisfies never;
      return state;
  }
}

/** A function answers with a result, a webhook with a reply. */
function answers(
  pending: ArbiterCallRequested | undefined,
  outcome: ArbiterCallCompleted | ArbiterCallFailed,
): boolean {
  if (pending?.data.callId !== outcome.data.callId) return false;
  return outcome.type === 'ArbiterCallFailed' || 'url' in pending.data !== 'result' in outcome.data;
}

function settled({ pending: _, ...state }: ArbitrationState, reply: ArbiterReply): ArbitrationState {
  return { ...state, reply };
}
