import {
  type Change,
  type JudgedHistory,
  type Regression,
  shownApart,
  type Verdict,
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

/** A history and its first difference, with both values and what has likely changed. */
export function judgedLines(
  { file, root, verdict, first, why }: JudgedHistory,
  paint: Paint,
): readonly string[] {
  const subject = root ? `  ${root.kind} ${root.id}` : '';
  const head = `${paint(STYLES[verdict], verdict.padEnd(10))}  ${oneLine(file, 200)}${subject}`;
  if (first) return [head, ...changeLines(first), `    likely    ${likelyCause(verdict, first)}`];
  return why === undefined ? [head] : [head, `    ${oneLine(why, 300)}`];
}

function changeLines({ stream, revision, roundId, pointer, recorded, today }: Change): readonly string[] {
  const round = roundId === undefined ? '' : `  round ${roundId}`;
  const [before, now] = shownApart(recorded, today);
  return [
    `    at        ${stream} revision ${revision}${pointer ? `  ${oneLine(pointer)}` : ''}${round}`,
    `    recorded  ${before}`,
    `    today     ${now}`,
  ];
}

/** The line that stands for the exit code. */
export function regressionLine({ exitCode, histories }: Regression, paint: Paint): string {
  const parts = Object.keys(STYLES).flatMap((verdict) => {
    const count = histories.filter((one) => one.verdict === verdict).length;
    return count === 0 ? [] : `${count} ${verdict}`;
  });
  const text = parts.length === 0 ? 'no history was found' : parts.join(', ');
  return `${paint(exitCode === 0 ? 'green' : 'red', `regress: ${text}`)}  (exit code ${exitCode})`;
}

const CAUSES: readonly (readonly [pointer: RegExp, cause: string])[] = [
  [
    /^\/data\/body\/messages/,
    'the prompt: a template, the prompt of the state, or what the model is shown before it',
  ],
  [/^\/data\/body\/(?:tools|response_format)/, 'the schema or the description of a transition or tool'],
  [/^\/data\/(?:body\/model|url|provider)/, 'the model'],
  [/^\/data\/body/, 'the parameters of the model'],
  [/^\/data\/(?:input|requestBody|arguments)/, 'what a function, webhook or tool is given'],
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
