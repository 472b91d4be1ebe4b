import type { Task } from '#lib/client';
import { Readable } from '../parts/json-view.js';
import { Timestamp } from '../parts/time.js';
import { WhatNext } from './what-next.js';

/** The past tense of choices. */
const CHOICES = new Map([
  ['approve', 'approved'],
  ['reject', 'rejected'],
  ['answer', 'answered'],
]);

/** The end of a task, by whom, and the next steps: it takes no more answers. */
export function TaskEnd({ task }: { readonly task: Task }) {
  const { status, answer } = task;
  if (!answer)
    return (
      <div className="verdict" role="status">
        <p className="verdict-word">{status}</p>
        <p>
          {status === 'expired'
            ? 'Its time ran out before somebody answered.'
            : 'It needs no answer any more: its round was decided without people, or its session or run has ended.'}
        </p>
      </div>
    );
  const { by, at, choice, transitionName, reason, metaJson, payload, edited } = answer;
  const value = metaJson ?? answer.arguments ?? payload;
  return (
    <div className="verdict good" role="status">
      <p className="verdict-word">
        answered by {by}: {transitionName ?? CHOICES.get(choice) ?? choice}
      </p>
      <p className="dim">
        <Timestamp time={at} />
        {edited && ', with arguments that differ from the proposal'}
      </p>
      {reason !== undefined && reason !== '' && <p>{reason}</p>}
      {value !== undefined && <Readable value={value} />}
      <WhatNext task={task} />
    </div>
  );
}
