import { isJsonObject, type Problem } from '#lib/kernel';
import { refuse } from '#lib/operations/core';
import type { TaskAnswerBody, WaitingThing } from './task.family.js';
import { invalidAnswer } from './task.rejections.js';

/** Members that are checked elsewhere: the digest before, the arguments of a transition by the round. */
const REFUSED_ELSEWHERE: readonly string[] = ['digest', 'metaJson'];

/**
 * Checks that the body makes one of the choices, with its members and without those of another one. The owner checks the values.
 * @throws RejectionError
 */
export function checkBody({ choices }: WaitingThing, body: TaskAnswerBody): void {
  const offered = choices.find(({ choice }) => choice === body.choice);
  // A round without a proposal offers no `accept`: the owner answers that the named proposal does not wait.
  if (!offered && body.choice === 'accept' && choices.some(({ choice }) => choice === 'transition')) return;
  const problems = offered ? wrongMembers(offered.schema, body) : [notOffered(choices)];
  if (problems.length > 0) refuse(invalidAnswer(problems));
}

function notOffered(choices: WaitingThing['choices']): Problem {
  const all = [...new Set(choices.map(({ choice }) => choice))].join(', ');
  return { path: '/choice', message: `is no choice of this task: choose one of ${all}` };
}

function wrongMembers(schema: WaitingThing['choices'][number]['schema'], body: TaskAnswerBody): Problem[] {
  const { properties, required } = schema;
  const known = isJsonObject(properties) ? Object.keys(properties) : [];
  const needed = Array.isArray(required) ? required.map(String) : [];
  const given = Object.entries(body).flatMap(([member, value]) => (value === undefined ? [] : [member]));
  const missing = needed.filter((member) => !given.includes(member) && !REFUSED_ELSEWHERE.includes(member));
  const foreign = given.filter((member) => !known.includes(member));
  return [
    ...missing.map((member) => ({ path: `/${member}`, message: 'is missing' })),
    ...foreign.map((member) => ({
      path: `/${member}`,
      message: `is no member of the choice ${body.choice}`,
    })),
  ];
}
