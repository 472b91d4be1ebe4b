import { Link } from '@tanstack/react-router';
import { useMutation, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Session, Task } from '#lib/client';
import { useMay } from '../data/principal.js';
import { queryClient } from '../data/query-client.js';
import { server } from '../data/server.js';
import { shortId } from '../parts/format.js';
import { Problem } from '../parts/notice.js';
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
    <Drive session={data}>{link}</Drive>
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

function Drive({ session, children }: { readonly session: Session; readonly children: ReactNode }) {
  const { sessionId, currentState } = session;
  const mayDrive = useMay('operator');
  const run = useMutation({
    mutationFn: () => server().runSession({ sessionId }),
    onSuccess: () => queryClient.invalidateQueries(),
  });
  return (
    <>
      <p>
        {children} is open in state <b>{currentState}</b>. It goes on when it is driven: by{' '}
        <code>redial drive</code>, or by whatever drives the sessions of this server.
      </p>
      {mayDrive && (
        <p className="buttons">
          <button type="button" disabled={run.isPending} onClick={() => run.mutate()}>
            {run.isPending ? 'Running …' : 'Run it now'}
          </button>
          <span className="dim">Asks its models, until it needs people or is at rest.</span>
        </p>
      )}
      {run.error && <Problem error={run.error} />}
    </>
  );
}
