import { Link } from '@tanstack/react-router';
import { useQuery } from '@tanstack/react-query';
import type { Task } from '#lib/client';
import { server } from '../data/server.js';
import { shortId } from '../parts/format.js';
import { DriveSession } from '../sessions/drive-session.js';
import type { About } from './task-types.js';

/** The next step after an answer: runs go on by themselves, a session goes on when it is driven. */
export function WhatNext({ task }: { readonly task: Task }) {
  const { sessionId, runId, conversationId } = task.about as About;
  if (sessionId !== undefined) return <OfSession sessionId={sessionId} />;
  if (conversationId !== undefined)
    return (
      <p>
        The{' '}
        <Link to="/conversations/$id" params={{ id: conversationId }}>
          conversation
        </Link>{' '}
        goes on with this answer.
      </p>
    );
  if (runId === undefined) return null;
  return (
    <p>
      The{' '}
      <Link to="/runs/$id" params={{ id: runId }}>
        run
      </Link>{' '}
      goes on with this answer.
    </p>
  );
}

function OfSession({ sessionId }: { readonly sessionId: string }) {
  const { data } = useQuery({
    queryKey: ['sessions', sessionId],
    queryFn: () => server().getSession({ sessionId }),
  });
  if (!data) return null;
  const link = (
    <Link to="/sessions/$id" params={{ id: sessionId }}>
      Session {shortId(sessionId)}
    </Link>
  );
  return data.status === 'open' ? (
    <DriveSession session={data}>{link}</DriveSession>
  ) : (
    <p>
      {link} {ENDS[data.status] ?? data.status} in state <b>{data.currentState}</b>.
    </p>
  );
}

const ENDS: { readonly [status: string]: string } = {
  done: 'is at rest',
  needs_human: 'waits for people again,',
  closed: 'is closed',
};
