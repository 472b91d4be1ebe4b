import { escapePointerToken, jsonText, type Problem } from '#lib/kernel';
import type { ErrorObject } from 'ajv';

/** What a schema error means, in our words. `path` is a pointer into the value that was checked, to the very member. */
export function schemaProblem(error: ErrorObject): Problem {
  return { path: `${error.instancePath}${memberOf(error)}`, message: messageOf(error) };
}

/** The member an error is about, where the error stands at the object that holds it. */
function memberOf({ keyword, params }: ErrorObject): string {
  const member: unknown =
    keyword === 'required'
      ? params['missingProperty']
      : keyword === 'additionalProperties'
        ? params['additionalProperty']
        : keyword === 'propertyNames'
          ? params['propertyName']
          : undefined;
  return typeof member === 'string' ? `/${escapePointerToken(member)}` : '';
}

function messageOf({ keyword, params, message }: ErrorObject): string {
  switch (keyword) {
    case 'type':
      return `must be of type ${[params['type']].flat().join(' or ')}`;
    case 'required':
      return `is missing: ${jsonText(params['missingProperty'])} is required here`;
    case 'additionalProperties':
      return `is unknown: there is no property ${jsonText(params['additionalProperty'])} here`;
    case 'propertyNames':
      return 'must have a name that is not empty';
    case 'minLength':
      return 'must not be empty';
    case 'pattern':
      return `must match ${String(params['pattern'])}`;
    case 'enum':
      return `must be one of ${(params['allowedValues'] as unknown[]).map(jsonText).join(', ')}`;
    case 'minimum':
    case 'maximum':
      return `must be ${String(params['comparison'])} ${String(params['limit'])}`;
    default:
      return message ?? `breaks the rule ${jsonText(keyword)}`;
  }
}
