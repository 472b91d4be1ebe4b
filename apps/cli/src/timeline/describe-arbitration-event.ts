import type { ArbiterAnswer, ArbiterCall, ArbiterCallRequested, ArbitrationEvent } from '#lib/arbitration';
import type { RecordedEvent } from '#lib/kernel';
import { jsonLine, oneLine } from '../format/one-line.js';

/** What happened, in the words of a person. One line. */
export function describeArbitrationEvent({ type, data }: RecordedEvent<ArbitrationEvent>): string {
  switch (type) {
    case 'ArbitrationStarted': {
      const { currentState, proposals } = data.context;
      const names = proposals.map(({ specialistId }) => specialistId).join(', ');
      return `${data.arbiterId} judges in ${oneLine(currentState)}: proposals of ${names}`;
    }
    case 'ArbiterCallRequested':
      return requested(data);
    case 'ArbiterCallCompleted':
      return completed(data);
    case 'ArbiterCallFailed':
    case 'VerdictFailed':
      return `${data.failure.kind}: ${oneLine(data.failure.message, 140)}`;
    case 'VerdictReached':
      return `${data.consensusReached ? 'consensus' : 'no consensus'}: ${oneLine(data.reasoning, 140)}`;
  }
}

/** Who is called, as it is known in the log. */
export function calleeOf(call: ArbiterCall): string {
  return 'url' in call ? call.url : call.strategyFnName;
}

function requested(data: ArbiterCallRequested['data']): string {
  const again = data.attempt === 1 ? '' : `, attempt ${data.attempt}`;
  return `${'url' in data ? 'webhook' : 'function'} ${oneLine(calleeOf(data))} is asked${again}`;
}

function completed(answer: ArbiterAnswer): string {
  const ms = `${Math.round(answer.durationMs)} ms`;
  if ('result' in answer) return `in ${ms}: ${jsonLine(answer.result)}`;
  return `${answer.status} in ${ms}: ${oneLine(answer.body.content)}`;
}
