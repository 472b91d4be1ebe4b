import { is, view } from '#lib/operations';
import { TASK_KINDS, TASK_STATUSES } from './task-words.js';

/** One way to answer, with the closed JSON Schema of the body that chooses it. */
export class TaskChoiceView extends view({
  choice: is.text,
  transitionName: is.text.optional,
  toState: is.text.optional,
  proposalId: is.id.optional,
  schema: is.object().about('The closed JSON Schema of the body that makes this choice'),
}) {}

export class CandidatesView extends view({
  people: is.texts,
  groups: is.texts,
}) {}

class GivenApproval extends view({
  by: is.name,
  at: is.time,
  choice: is.text,
  transitionName: is.text.optional,
}) {}

export class ApprovalsView extends view({
  needed: is.whole(1),
  given: is.listOf(GivenApproval),
}) {}

class TaskComment extends view({
  by: is.name,
  at: is.time,
  text: is.text,
}) {}

/** How a person answered. */
export class TaskAnswerView extends view({
  by: is.text.about('The person'),
  at: is.time,
  choice: is.text,
  proposalId: is.id.optional,
  transitionName: is.text.optional,
  metaJson: is.object().optional,
  arguments: is.object().optional,
  payload: is.json().optional,
  reason: is.text.optional,
  edited: is.flag.about('The arguments differ from those of the accepted proposal, or of the call'),
}) {}

/** A question that waits or waited for people, with everything that an answer needs. */
export class Task extends view({
  taskId: is.id,
  version: is.whole(1).about('The number of its waits so far'),
  kind: is.oneOf(TASK_KINDS),
  status: is.oneOf(TASK_STATUSES),
  title: is.text,
  question: is.text,
  reason: is.text.about('Why people are asked, as a word'),
  detail: is.text.about('The reason as a sentence'),
  about: is
    .object()
    .about(
      'The session, its machine, state, round and metaJson; or the run, its wait, and the tool and call; and the key, tags and subject of the session, conversation or run that it works for',
    ),
  proposals: is
    .array<object>()
    .optional.about('The open proposals of the round, each with the alignment of its author'),
  arguments: is.object().optional.about('The arguments of the call to approve'),
  prompt: is.json().optional.about('The question as a workflow put it'),
  choices: is.listOf(TaskChoiceView),
  digest: is.text.about('SHA-256 of the shown content: an answer to a decision sends it back'),
  candidates: is.a(CandidatesView),
  excluded: is.texts,
  approvals: is.a(ApprovalsView),
  assignee: is.name.optional.about('The only person who can answer'),
  claimedBy: is.name.optional,
  claimedUntil: is.time.optional,
  priority: is.whole(0, 100),
  since: is.time.about('The beginning of the last wait'),
  dueAt: is.time.optional.about('When it is due'),
  overdue: is.flag.about('It is past `dueAt`, and open or claimed'),
  expiresAt: is.time.optional.about('When it takes no more answers'),
  escalated: is.whole().about('How many escalations have happened'),
  comments: is.listOf(TaskComment),
  answer: is.a(TaskAnswerView).optional,
  isFork: is.flag,
}) {}

/** An answer that was taken. */
export class AnsweredTask extends view({
  task: is.a(Task),
  session: is.object<object>().optional.about('The session after a decision'),
  run: is.object<object>().optional.about('The run right after an approval or an answer'),
  turn: is.object<object>().optional.about('The turn, once it has ended or waits again'),
}) {}

export class Counts extends view({
  open: is.whole().about('Open tasks without claimed ones'),
  claimed: is.whole(),
  overdue: is.whole(),
  mine: is.whole().about('Claimed by or assigned to the caller'),
  claimable: is.whole().about('Open tasks that the caller may answer, without claimed ones'),
}) {}
