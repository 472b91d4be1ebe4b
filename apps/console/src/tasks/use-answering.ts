import { useMutation } from '@tanstack/react-query';
import type { Task } from '#lib/client';
import { queryClient } from '../data/query-client.js';
import { errorsOf, server } from '../data/server.js';
import { problemsAt } from '../forms/fields.js';
import type { Form } from '../forms/use-form.js';
import type { Answer } from './task-types.js';

/** How a form of a task sends its answer. */
export interface Answering {
  readonly isPending: boolean;
  /** A refusal that is about no field. */
  readonly error: unknown;
  /** @param at the member of the body that the form fills; its errors are shown at the fields */
  readonly answer: (answer: Answer, form: Form, at: string) => void;
}

/** Answers a task as it is shown: its digest goes with the answer, so that only shown content is decided. */
export function useAnswering(task: Task, actAs: string | undefined): Answering {
  const { taskId, digest, version } = task;
  const sending = useMutation({
    mutationFn: ({ answer }: { readonly answer: Answer; readonly form: Form; readonly at: string }) =>
      server().answerTask({
        ...answer,
        taskId,
        digest,
        version,
        ...(actAs !== undefined && { actAs }),
      }),
    onSuccess: ({ task: answered }) => queryClient.setQueryData(['tasks', taskId], answered),
    onError: (error, { form, at }) => {
      form.setProblems(problemsAt(errorsOf(error), at));
      // It may be answered, claimed or changed: the page is read again.
      void queryClient.invalidateQueries({ queryKey: ['tasks'] });
    },
  });
  return {
    isPending: sending.isPending,
    error: sending.error !== null && errorsOf(sending.error).length === 0 ? sending.error : null,
    answer: (answer, form, at) => sending.mutate({ answer, form, at }),
  };
}
