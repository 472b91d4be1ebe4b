import type { SchemaError } from '#lib/json-schema';
import { escapePointerToken, jsonText, type Problem } from '#lib/kernel';

/** The message for a schema error. `path` is a pointer into the value that was checked, to the exact member. */
export function schemaProblem(error: SchemaError): Problem {
  return { path: `${error.path}${memberOf(error)}`, message: messageOf(error) };
}

/** The member of an error whose location is the object that holds the member. */
function memberOf({ keyword, params }: SchemaError): string {
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

/** The schema of machines names types, limits and patterns by text and number. */
type Params = { readonly [name: string]: string | number };

function messageOf({ keyword, params: asked }: SchemaError): string {
  const params = asked as Params;
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
      return `must match ${params['pattern']}`;
    case 'enum':
      return `must be one of ${(asked['allowedValues'] as unknown[]).map(jsonText).join(', ')}`;
    case 'minimum':
    case 'maximum':
      return `must be ${params['comparison']} ${params['limit']}`;
    default:
      return `breaks the rule ${jsonText(keyword)}`;
  }
}
