import { Link } from '@tanstack/react-router';
import type { Task } from '#lib/client';
import { sentence, shortId } from '../parts/format.js';
import { Readable } from '../parts/json-view.js';
import { Fact, TimeFact } from '../parts/page.js';
import { Badge, Status } from '../parts/status.js';
import { SessionLink } from '../parts/session-link.js';
import { approvalsText } from './approvals-text.js';
import { type About, isOpen } from './task-types.js';

/** The question, why people are asked, and the subject. */
export function TaskFacts({ task }: { readonly task: Task }) {
  const { status, question, detail, overdue, since, approvals } = task;
  const about = task.about as About;
  return (
    <>
      <p className="fact-line">
        <Status status={status} />
        {overdue && <Badge tone="bad">overdue</Badge>}
        <AboutLink about={about} />
        {about.currentState !== undefined && <Fact name="State">{about.currentState}</Fact>}
        <TimeFact name="Asked" time={since} />
        {isOpen(task) && <Times task={task} />}
        {approvals.needed > 1 && <Fact name="Approvals">{approvalsText(approvals)}</Fact>}
      </p>
      {question !== '' && <p className="question">{question}</p>}
      <p className="dim">{sentence(detail)}</p>
      {task.prompt !== undefined && typeof task.prompt === 'object' && (
        <details className="about" open>
          <summary>Asked with</summary>
          <Readable value={task.prompt} />
        </details>
      )}
      {about.metaJson && (
        <details className="about" open>
          <summary>About</summary>
          <Readable value={about.metaJson} />
        </details>
      )}
    </>
  );
}

function Times({ task: { dueAt, expiresAt } }: { readonly task: Task }) {
  return (
    <>
      {dueAt !== undefined && <TimeFact name="Due" time={dueAt} />}
      {expiresAt !== undefined && <TimeFact name="Expires" time={expiresAt} />}
    </>
  );
}

function AboutLink({
  about: { sessionId, runId, conversationId, machineName, workflow },
}: {
  readonly about: About;
}) {
  if (sessionId !== undefined)
    return (
      <Fact name={machineName ?? 'Session'}>
        <SessionLink sessionId={sessionId} />
      </Fact>
    );
  if (conversationId !== undefined)
    return (
      <Fact name="Conversation">
        <Link to="/conversations/$id" params={{ id: conversationId }} className="id">
          {shortId(conversationId)}
        </Link>
      </Fact>
    );
  return runId === undefined ? null : (
    <Fact name={workflow ?? 'Run'}>
      <Link to="/runs/$id" params={{ id: runId }} className="id">
        {shortId(runId)}
      </Link>
    </Fact>
  );
}
