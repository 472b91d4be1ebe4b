import { Link } from '@tanstack/react-router';
import { useCallsOfRun } from '../calls/calls-of.js';
import type { TimelineEvent } from './rounds.js';

const ID_LENGTH = 36;

interface CallLinkProps {
  readonly event: TimelineEvent;
  readonly events: readonly TimelineEvent[];
}

/** The link from an event of a call to the call: the calls of a run are listed in the order of their requests. */
export function CallLink({ event, events }: CallLinkProps) {
  const runId = event.stream.slice(-ID_LENGTH);
  const calls = useCallsOfRun(runId);
  const requests = events.filter(
    ({ stream, type }) => stream === event.stream && type === 'LlmCallRequested',
  );
  const call = calls[requests.findIndex((one) => one.data.stepId === event.data.stepId)];
  if (!call) return null;
  return (
    <p>
      <Link to="/calls/$id" params={{ id: call.callId }}>
        The call: request and reply
      </Link>
    </p>
  );
}
