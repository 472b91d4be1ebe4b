import {
  type Change,
  type JudgedHistory,
  type Regression,
  shownChange,
  type Verdict,
  VERDICTS,
} from '#lib/histories/core';
import { oneLine } from '#lib/kernel';
import type { Paint, Style } from '../io.js';

const STYLES: { readonly [V in Verdict]: Style } = {
  same: 'green',
  requests: 'yellow',
  decisions: 'red',
  diverges: 'red',
  unreadable: 'red',
  double: 'red',
};

/** A history and its first difference, with both values and the likely cause. */
export function judgedLines(
  { file, root, verdict, first, why }: JudgedHistory,
  paint: Paint,
): readonly string[] {
  const subject = root ? `  ${root.kind} ${root.id}` : '';
  const head = `${paint(STYLES[verdict], verdict.padEnd(10))}  ${oneLine(file, 200)}${subject}`;
  if (first) return [head, ...changeLines(first), `    likely    ${likelyCause(verdict, first)}`];
  return why === undefined ? [head] : [head, `    ${oneLine(why, 300)}`];
}

function changeLines(change: Change): readonly string[] {
  const { stream, revision, roundId, pointer } = change;
  const round = roundId === undefined ? '' : `  round ${roundId}`;
  const [before, now] = shownChange(change);
  return [
    `    at        ${stream} revision ${revision}${pointer ? `  ${oneLine(pointer)}` : ''}${round}`,
    `    recorded  ${before}`,
    `    today     ${now}`,
  ];
}

/** The words for one history with a verdict, and for several. */
const WORDS: { readonly [V in Verdict]: readonly [one: string, several: string] } = {
  same: ['is the same', 'are the same'],
  requests: ['asks differently', 'ask differently'],
  decisions: ['is decided differently', 'are decided differently'],
  diverges: ['contradicts itself', 'contradict themselves'],
  unreadable: ['cannot be read or compared', 'cannot be read or compared'],
  double: ['is there a second time', 'are there a second time'],
};

/** The used definitions if none is given, and the line for the exit code. */
export function regressionLines(
  regression: Regression,
  paint: Paint,
  hasMachines: boolean,
): readonly string[] {
  const { exitCode, histories } = regression;
  const text = paint(exitCode === 0 ? 'green' : 'red', `regress: ${regressionText(regression)}`);
  return [
    ...(hasMachines || histories.length === 0 ? [] : [RECORDED_DEFINITIONS]),
    `${text}  (exit code ${exitCode})`,
  ];
}

const RECORDED_DEFINITIONS = 'definitions: the recorded ones were used, as no --machine was given';

/** The number of histories with each verdict, and the machines that were not compared. */
export function regressionText({ histories, unusedMachines = [] }: Regression): string {
  const counts = Object.entries(WORDS).flatMap(([verdict, [one, several]]) => {
    const count = histories.filter((history) => history.verdict === verdict).length;
    if (count === 0) return [];
    return count === 1 ? `1 history ${one}` : `${count} histories ${several}`;
  });
  const unused = unusedMachines.map((name) => `no compared history uses the machine ${oneLine(name)}`);
  return [...(counts.length === 0 ? ['there is no history'] : counts), ...unused].join(', ');
}

export function regressionFix({ exitCode, histories, unusedMachines }: Regression): string {
  if (histories.length === 0) return 'Name history files, or folders that hold some';
  if (unusedMachines) return 'Correct or leave out its --machine, or export a history of that machine';
  return exitCode < VERDICTS.diverges
    ? 'The lines above say where; correct the change, or, if it is meant, replace the histories by those of new sessions'
    : 'The lines above say which; export these histories again, or take them out of the corpus';
}

const CAUSES: readonly (readonly [pointer: RegExp, cause: string])[] = [
  [/^\/data\/body\/messages/, 'the prompt: a template, the prompt of the state, or the messages before it'],
  [/^\/data\/body\/(?:tools|response_format)/, 'the schema or the description of a transition or tool'],
  [/^\/data\/(?:body\/model|url|provider)/, 'the model'],
  [/^\/data\/body/, 'the parameters of the model'],
  [/^\/data\/(?:input|requestBody|arguments)/, 'the input of a function, webhook or tool'],
  [/^\/data\/fnName/, 'the definition: it names another function or strategy'],
  [/^\/data\/prompt/, 'the question to a person'],
  [/^\/data\/version/, 'the version of a workflow'],
];

function likelyCause(verdict: Verdict, { pointer = '', recorded, today }: Change): string {
  if (verdict === 'diverges') return 'the file: its parts do not agree with each other';
  if (verdict === 'decisions')
    return pointer === '' || pointer === '/type'
      ? 'the definition, a rule of an arbiter, or code: another event comes in this place'
      : 'code or the definition: the same event holds another value';
  if (recorded === undefined || recorded === null) return 'code: a step that the record does not have';
  if (today === undefined || today === null) return 'code: a step that the record has';
  return CAUSES.find(([at]) => at.test(pointer))?.[1] ?? 'code or the definition';
}
