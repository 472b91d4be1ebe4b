import { roundTaskId, type SessionEvent } from '#lib/decisions/session';
import { idInStream } from '#lib/event-store';
import type { RecordedEvent } from '#lib/kernel';
import { type RuntimeEvent, usedStream, waitTaskId } from '#lib/workflow';
import { runsOfRoots } from '../asked-runs.js';

/** The types of the events that name other streams. */
export const NAMING: ReadonlySet<string> = new Set([
  'SessionCreated',
  'SessionForked',
  'ProposalSolicited',
  'ArbitrationRequested',
  'HumanInputRequested',
  'ClockStarted',
  'TransitionExecuted',
  'TurnRequested',
  'ChildStarted',
  'WorkflowStarted',
  'SignalAwaited',
] satisfies (SessionEvent | RuntimeEvent)['type'][] | string[]);

/** The streams that an event names, without the prefix of the log. */
interface NamedStreams {
  /** Streams that the history needs with all streams below them. */
  readonly whole: readonly string[];
  /** Streams of which a run uses a value: without the streams below them. */
  readonly used: readonly string[];
}

/** The streams that the history of this event's owner needs because this event names them. */
export function streamsNamedBy(event: RecordedEvent): NamedStreams {
  const asked = runsOfRoots(event).map(({ workflow, runId }) => `${workflow}-${runId}`);
  const known = event as RecordedEvent<SessionEvent | RuntimeEvent>;
  switch (known.type) {
    case 'ChildStarted': {
      const { stream } = known.data.context ?? {};
      return { whole: asked, used: stream === undefined ? [] : [stream] };
    }
    case 'WorkflowStarted': {
      const { stream = '' } = usedStream(known.data) ?? {};
      return { whole: asked, used: stream === '' ? [] : [stream] };
    }
    case 'SignalAwaited':
      return { whole: [`task-${waitTaskId(idInStream(known.stream), known.data.stepId)}`], used: [] };
    case 'HumanInputRequested':
      return {
        whole: [`task-${roundTaskId(idInStream(known.stream), known.data.roundId)}`, ...asked],
        used: [],
      };
    default:
      return { whole: asked, used: [] };
  }
}
