import { Link } from '@tanstack/react-router';
import { useCallsOfRun } from '../calls/calls-of.js';
import { callOf } from './call-of.js';
import type { TimelineEvent } from './rounds.js';

const ID_LENGTH = 36;

interface CallLinkProps {
  readonly event: TimelineEvent;
  readonly events: readonly TimelineEvent[];
}

/** The link from an event of a call to the call. */
export function CallLink({ event, events }: CallLinkProps) {
  const call = callOf(event, events, useCallsOfRun(event.stream.slice(-ID_LENGTH)));
  if (!call) return null;
  return (
    <p>
      <Link to="/calls/$id" params={{ id: call.callId }}>
        The call: request and reply
      </Link>
    </p>
  );
}
