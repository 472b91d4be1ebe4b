import type { Type } from '@nestjs/common';
import { getMetadataStorage, type ValidationError, validateSync } from 'class-validator';
import { escapePointerToken, type Problem } from '#lib/kernel';
import { malformedRequest } from '../problems/problem-error.js';

/**
 * An object from outside as an instance of its DTO class. Members that the class does not have are problems, whatever they
 * are called: names like `constructor` and `__proto__`, too, which class-validator's own whitelist lets pass.
 * @param build makes the instance from the members that the class has
 * @throws ProblemError 400 with all problems at once
 */
export function readDto<Dto extends object>(
  type: Type<Dto>,
  value: object,
  build: (type: Type<Dto>, members: object) => Dto,
): Dto {
  const known = membersOf(type);
  const members = Object.entries(value);
  const dto = build(type, Object.fromEntries(members.filter(([name]) => known.has(name))));
  const problems = [
    ...members.flatMap(([name]) => (known.has(name) ? [] : [unknownMember(name)])),
    ...validateSync(dto, { forbidUnknownValues: false }).flatMap((error) => problemsOf(error)),
  ];
  if (problems.length > 0) throw malformedRequest(problems);
  return dto;
}

function membersOf(type: Type): ReadonlySet<string> {
  const rules = getMetadataStorage().getTargetValidationMetadatas(type, '', false, false);
  return new Set(rules.map(({ propertyName }) => propertyName));
}

function unknownMember(name: string): Problem {
  return { path: `/${escapePointerToken(name)}`, message: 'is not a property that is known here' };
}

function problemsOf({ property, constraints = {}, children = [] }: ValidationError, base = ''): Problem[] {
  const path = `${base}/${escapePointerToken(property)}`;
  const own = Object.values(constraints).map((message) => ({
    path,
    message: withoutName(property, message),
  }));
  return [...own, ...children.flatMap((child) => problemsOf(child, path))];
}

/** class-validator's own messages begin with what the path says already. */
function withoutName(property: string, message: string): string {
  return message.startsWith(`${property} `) ? message.slice(property.length + 1) : message;
}
