import { isJsonObject, type Problem } from '#lib/kernel';
import { refuse } from '#lib/operations/core';
import type { TaskAnswerBody, WaitingThing } from './task.family.js';
import { invalidAnswer } from './task.rejections.js';

/** Checks that the body makes one of the choices and has no members of another one. Values are for the owner to check. @throws RejectionError */
export function checkBody({ choices }: WaitingThing, body: TaskAnswerBody): void {
  const offered = choices.find(({ choice }) => choice === body.choice);
  // A round without a proposal takes no `accept`: the proposal that it names does not wait, which the owner says.
  if (!offered && body.choice === 'accept' && choices.some(({ choice }) => choice === 'transition')) return;
  const problems = offered ? foreignMembers(offered.schema, body) : [notOffered(choices)];
  if (problems.length > 0) refuse(invalidAnswer(problems));
}

function notOffered(choices: WaitingThing['choices']): Problem {
  const all = [...new Set(choices.map(({ choice }) => choice))].join(', ');
  return { path: '/choice', message: `is no choice of this task: choose one of ${all}` };
}

function foreignMembers(schema: WaitingThing['choices'][number]['schema'], body: TaskAnswerBody): Problem[] {
  const { properties } = schema;
  const known = isJsonObject(properties) ? Object.keys(properties) : [];
  const given = Object.entries(body).filter(([, value]) => value !== undefined);
  return given
    .filter(([member]) => !known.includes(member))
    .map(([member]) => ({ path: `/${member}`, message: `is no member of the choice ${body.choice}` }));
}
