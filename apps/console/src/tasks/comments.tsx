import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { Task } from '#lib/client';
import { useMay } from '../data/principal.js';
import { queryClient } from '../data/query-client.js';
import { server } from '../data/server.js';
import { Problem } from '../parts/notice.js';
import { Ago } from '../parts/time.js';

interface CommentsProps {
  readonly task: Task;
  readonly actAs: string | undefined;
  readonly isOpen: boolean;
}

/** The talk about a task. It ends with the task. */
export function Comments({ task, actAs, isOpen }: CommentsProps) {
  const { comments } = task;
  const mayComment = useMay('reviewer') && isOpen;
  if (comments.length === 0 && !mayComment) return null;
  return (
    <section className="card" aria-label="Comments">
      <h2>Comments</h2>
      {comments.length > 0 && (
        <ul className="comments">
          {comments.map(({ by, at, text }) => (
            <li key={at}>
              <b>{by}</b>{' '}
              <span className="dim">
                <Ago time={at} />
              </span>
              <p>{text}</p>
            </li>
          ))}
        </ul>
      )}
      {mayComment && <CommentForm taskId={task.taskId} actAs={actAs} />}
    </section>
  );
}

function CommentForm({ taskId, actAs }: { readonly taskId: string; readonly actAs: string | undefined }) {
  const [text, setText] = useState('');
  const send = useMutation({
    mutationFn: () => server().commentTask({ taskId, text, ...(actAs !== undefined && { actAs }) }),
    onSuccess: (changed) => {
      setText('');
      queryClient.setQueryData(['tasks', taskId], changed);
    },
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        send.mutate();
      }}
    >
      <div className="field">
        <label htmlFor="comment">Comment</label>
        <textarea id="comment" rows={2} value={text} onChange={(event) => setText(event.target.value)} />
      </div>
      {send.error && <Problem error={send.error} />}
      <p className="buttons">
        <button type="submit" disabled={text.trim() === '' || send.isPending}>
          Add comment
        </button>
      </p>
    </form>
  );
}
