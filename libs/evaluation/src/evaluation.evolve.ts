import type { EvaluationEvent } from './evaluation.events.js';
import type { EvaluationState } from './evaluation.state.js';

/** Total: an event that cannot be (before the start, of a type from the future) changes nothing. */
export function evolveEvaluation(state: EvaluationState, event: EvaluationEvent): EvaluationState {
  if (event.type === 'EvaluationStarted') return state ?? { ...event.data, solicited: [], judged: [] };
  if (state === null) return state;
  switch (event.type) {
    case 'SampleSolicited':
      return { ...state, solicited: [...state.solicited, event.data] };
    case 'SampleJudged':
      return { ...state, judged: [...state.judged, event.data] };
    case 'EvaluationCompleted':
      return { ...state, result: event.data };
    default:
      event satisfies never;
      return state;
  }
}
