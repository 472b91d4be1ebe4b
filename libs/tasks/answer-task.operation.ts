import { Command } from '@nestjs/cqrs';
import { answeredBy, currentContext, input, is, markFleeting, Operation, ReadModels } from '#lib/operations';
import { ownerOf, taskMembers } from './task-command.js';
import { Tasks } from './tasks.js';
import { AnsweredTask } from './tasks.views.js';

@Operation({
  summary: 'Answer a task as a person, by one of its choices',
  http: 'POST /v1/tasks/:taskId/answer',
  mcp: false,
  access: 'reviewer',
  answers: { 200: AnsweredTask },
  problems: [410, 502, 503],
  destructive: true,
})
export class AnswerTask extends input(Command<AnsweredTask>, {
  choice: is
    .textUpTo(64)
    .about('One of the choices of the task: accept, transition, approve, reject, answer', {
      example: 'accept',
    }),
  digest: is.text.optional.about('The digest of the task that was shown'),
  proposalId: is.text.optional.about('To accept: the proposal'),
  transitionName: is.text.optional.about('The transition'),
  metaJson: is
    .object()
    .optional.about('The arguments of the transition, or of the accepted proposal in place of its own'),
  arguments: is.object().optional.about('To approve a call: arguments in place of the shown ones'),
  result: is.json().optional.about('To reject a call that was interrupted: its result'),
  payload: is.json().optional.about('The answer to a question, as its schema wants it'),
  reason: is.textUpTo(4_096).optional.about('Why'),
  version: is.whole(1).optional.about('The wait that is answered'),
  ...taskMembers,
}) {}

export const AnswerTaskHandler = answeredBy(
  AnswerTask,
  [ReadModels, Tasks],
  async ({ taskId, actAs: _, ...body }, rows, tasks) => {
    markFleeting();
    return tasks.answer(await ownerOf(rows, taskId), body, currentContext());
  },
);
