import { isJsonObject, type Json, type JsonObject, jsonLine, oneLine } from '#lib/kernel';
import { choiceText } from '#lib/summaries';
import type { Paint } from '../io.js';
import type { AnswerOf } from '../operations/call-operation.js';
import { members, part } from './table.js';

/** Arguments, questions and reasons are shown whole up to this length: people decide about them. */
const LONGEST = 4000;

type Task = AnswerOf<'getTask'>;
type Choice = Task['choices'][number];
type TaskAnswer = NonNullable<Task['answer']>;

interface ProposalOfTask {
  readonly proposalId: string;
  readonly specialistId: string;
  readonly isHuman?: boolean;
  readonly transitionName: string;
  readonly toState: string;
  readonly metaJson?: JsonObject;
  readonly reasoning?: string;
}

/** The past tense of choices. */
const DONE: { readonly [choice: string]: string | undefined } = {
  accept: 'accepted',
  transition: 'chose',
  approve: 'approved',
  reject: 'rejected',
  answer: 'answered',
};

/** A task with its choices and everything that an answer needs, each proposal and each choice on lines of its own. */
export function taskLines(task: Task, paint: Paint): readonly string[] {
  const { taskId, title, question, detail, about, prompt, choices, approvals, comments, answer } = task;
  const proposals = (task.proposals ?? []) as readonly ProposalOfTask[];
  return [
    `${paint('bold', `task ${taskId}`)}  ${oneLine(title)}`,
    ...(question === '' ? [] : [`  ${oneLine(question, LONGEST)}`]),
    `  ${oneLine(detail, LONGEST)}`,
    ...members(factsOf(task)),
    ...part('about', [about], [`  ${jsonLine(about, LONGEST)}`]),
    ...(prompt === undefined ? [] : part('asked with', [prompt], [`  ${jsonLine(prompt, LONGEST)}`])),
    ...(task.arguments ? part('arguments', [task], [`  ${jsonLine(task.arguments, LONGEST)}`]) : []),
    ...part('proposals', proposals, proposals.flatMap(proposalLines)),
    ...part('choices', choices, choices.map(choiceLine)),
    ...part('comments', comments, comments.map(commentLine)),
    ...part('approvals', approvals.given, approvalLines(task)),
    ...(answer ? ['', answerLine(answer)] : []),
  ];
}

/** The answer that was taken, and the state of its owner after it. */
export function answeredLines({ task, session, run, turn }: AnswerOf<'answerTask'>): readonly string[] {
  const { taskId, status, answer } = task;
  return [
    answer ? answerLine(answer) : `task ${taskId} is ${status}`,
    ...(answer ? [] : approvalLines(task)),
    ...stateLine('session', session, 'sessionId'),
    ...stateLine('run', run, 'runId'),
    ...stateLine('turn', turn, 'turnId'),
  ];
}

function factsOf(task: Task) {
  const { status, claimedBy, assignee, candidates, since, dueAt, expiresAt, priority, version, digest } =
    task;
  const { people, groups } = candidates;
  const named = [...people, ...groups.map((group) => `group ${group}`)].join(', ');
  return {
    status: claimedBy === undefined ? status : `${status} by ${claimedBy}`,
    'may answer': assignee ?? (named === '' ? undefined : named),
    'may not': task.excluded.length === 0 ? undefined : task.excluded.join(', '),
    since,
    'due at': dueAt === undefined || !task.overdue ? dueAt : `${dueAt}, overdue`,
    'expires at': expiresAt,
    priority,
    version,
    digest,
  };
}

function proposalLines({ proposalId, metaJson, reasoning = '', ...said }: ProposalOfTask): readonly string[] {
  const author = `${said.specialistId}${said.isHuman ? ' (a person)' : ''}`;
  return [
    `  ${choiceText(said)}, by ${oneLine(author)}`,
    `    id         ${proposalId}`,
    ...(metaJson ? [`    arguments  ${jsonLine(metaJson, LONGEST)}`] : []),
    ...(reasoning === '' ? [] : [`    reasoning  ${oneLine(reasoning, LONGEST)}`]),
  ];
}

function choiceLine({ choice, transitionName, toState, proposalId, schema }: Choice): string {
  const to = transitionName === undefined ? '' : ` ${choiceText({ transitionName, toState: toState ?? '' })}`;
  const of = proposalId === undefined ? '' : ` of ${proposalId}`;
  const names = argumentNames(schema);
  return `  ${choice}${to}${of}${names.length === 0 ? '' : `: ${oneLine(names.join(', '), LONGEST)}`}`;
}

/** The names of the arguments of a choice; optional ones are marked. */
function argumentNames({ properties }: JsonObject): readonly string[] {
  const { metaJson, arguments: given, payload, result } = objectOf(properties);
  const { properties: declared, required } = objectOf(metaJson ?? given ?? payload ?? result);
  const needed: readonly Json[] = Array.isArray(required) ? (required as Json[]) : [];
  return Object.keys(objectOf(declared)).map((name) => (needed.includes(name) ? name : `${name} (optional)`));
}

function objectOf(value: Json | undefined): Partial<JsonObject> {
  return isJsonObject(value) ? value : {};
}

function commentLine({ by, at, text }: Task['comments'][number]): string {
  return `  ${at}  ${oneLine(by)}: ${oneLine(text, LONGEST)}`;
}

function approvalLines({ approvals: { needed, given } }: Task): readonly string[] {
  if (given.length === 0) return [];
  const each = given.map(
    ({ by, choice, transitionName }) => `  by ${oneLine(by)}: ${transitionName ?? choice}`,
  );
  return [...each, `  the round needs ${needed} equal ones`];
}

function answerLine({ by, choice, transitionName, reason, edited, ...answer }: TaskAnswer): string {
  const value = answer.metaJson ?? answer.arguments ?? answer.payload;
  const done = [DONE[choice] ?? choice, transitionName && oneLine(transitionName)].filter(Boolean).join(' ');
  const withValue = value === undefined ? '' : ` with ${jsonLine(value, LONGEST)}`;
  const asEdit = edited ? ', which differs from the proposal' : '';
  const because = reason === undefined || reason === '' ? '' : `: "${oneLine(reason, LONGEST)}"`;
  return `${oneLine(by)} ${done}${withValue}${asEdit}${because}`;
}

/** A sentence about a session, a run or a turn, which are views of their own. */
function stateLine(name: string, view: object | undefined, idName: string): readonly string[] {
  if (!view) return [];
  const { [idName]: id, currentState, status } = view as { readonly [member: string]: string | undefined };
  const at = currentState === undefined ? '' : ` in ${oneLine(currentState)}`;
  return [`${name} ${id ?? ''} is ${status ?? ''}${at}`];
}
