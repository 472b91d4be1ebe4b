import { useMutation } from '@tanstack/react-query';
import type { Task } from '#lib/client';
import { queryClient } from '../data/query-client.js';
import { errorsOf, server } from '../data/server.js';
import { areAtFields, problemsAt } from '../forms/fields.js';
import type { Form } from '../forms/use-form.js';
import type { Answer } from './task-types.js';

/** How a form of a task sends its answer. */
export interface Answering {
  readonly isPending: boolean;
  /** A refusal, unless all its errors are at fields of the form. */
  readonly error: unknown;
  /** @param at the member of the body that the form fills; its errors are shown at the fields */
  readonly answer: (answer: Answer, form: Form, at: string) => void;
}

interface Sent {
  readonly answer: Answer;
  readonly form: Form;
  readonly at: string;
}

/** Answers a task as it is shown: its digest goes with the answer, so that only shown content is decided. */
export function useAnswering(task: Task, actAs: string | undefined): Answering {
  const { taskId, digest, version } = task;
  const sending = useMutation({
    mutationFn: ({ answer }: Sent) =>
      server().answerTask({
        ...answer,
        taskId,
        digest,
        version,
        ...(actAs !== undefined && { actAs }),
      }),
    onSuccess: ({ task: answered }) => queryClient.setQueryData(['tasks', taskId], answered),
    onError: (error, sent) => {
      sent.form.setProblems(problemsOf(error, sent));
      // It may be answered, claimed or changed: the page is read again.
      void queryClient.invalidateQueries({ queryKey: ['tasks'] });
    },
  });
  const { error, variables: sent } = sending;
  const isAtFields = sent !== undefined && areAtFields(problemsOf(error, sent), sent.form.fields);
  return {
    isPending: sending.isPending,
    error: isAtFields ? null : error,
    answer: (answer, form, at) => sending.mutate({ answer, form, at }),
  };
}

function problemsOf(error: unknown, { at }: Sent): Form['problems'] {
  return problemsAt(errorsOf(error), at);
}
