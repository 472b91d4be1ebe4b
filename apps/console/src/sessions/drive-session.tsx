import type { ReactNode } from 'react';
import type { Session } from '#lib/client';
import { useMay } from '../data/principal.js';
import { server } from '../data/server.js';
import { ActionButton } from '../parts/action-button.js';

interface DriveProps {
  readonly session: Session;
  /** The name of the session on the page. */
  readonly children: ReactNode;
}

/** How an open session goes on; for operators with a button. */
export function DriveSession({ session: { sessionId, currentState }, children }: DriveProps) {
  const mayDrive = useMay('operator');
  return (
    <>
      <p>
        {children} is open in state <b>{currentState}</b>. It goes on when it is driven: by{' '}
        <code>redial drive</code>, or by a process that drives the sessions of this server.
      </p>
      {mayDrive && (
        <div className="buttons">
          <ActionButton
            label="Run it now"
            pending="Running …"
            act={() => server().runSession({ sessionId })}
          />
          <span className="dim">Asks its models, until it needs people or is at rest.</span>
        </div>
      )}
    </>
  );
}
