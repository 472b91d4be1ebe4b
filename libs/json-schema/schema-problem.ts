import { escapePointerToken, type Json, jsonText, type Problem, unknownProperty } from '#lib/kernel';
import type { SchemaError } from './errors.js';

/**
 * A schema error in plain words. `path` points to the exact member of the checked value. Turns record these words: other words need a new version of
 * the rules of turns.
 */
export function schemaProblem(error: SchemaError): Problem {
  return { path: `${error.path}${memberOf(error)}`, message: messageOf(error) };
}

/** The pointer to the member of an error whose location is the object that holds the member. */
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

/** Types, limits and patterns are texts and numbers. */
type Params = { readonly [name: string]: string | number };

const NO_FORM = 'fits none of the forms that are allowed here';

function messageOf({ keyword, params: asked }: SchemaError): string {
  const { allowedValues } = asked;
  const params = asked as Params;
  const { limit } = params;
  switch (keyword) {
    case 'type':
      return `must be of type ${[params['type']].flat().join(' or ')}`;
    case 'required':
      return `is missing: ${jsonText(params['missingProperty'])} is required here`;
    case 'additionalProperties':
      return unknownProperty(String(params['additionalProperty']), listed(allowedValues));
    case 'propertyNames':
      return asked['propertyName'] === ''
        ? 'must have a name that is not empty'
        : 'is no name that is allowed here';
    case 'minLength':
      return limit === 1 ? 'must not be empty' : `must have at least ${limit} characters`;
    case 'pattern':
      return `must match ${params['pattern']}`;
    case 'enum':
      return Array.isArray(allowedValues)
        ? `must be one of ${allowedValues.map((value) => jsonText(value)).join(', ')}`
        : 'must be one of the values that its schema lists';
    case 'minimum':
    case 'maximum':
      return `must be ${params['comparison']} ${limit}`;
    case 'oneOf':
      if (Array.isArray(asked['passingSchemas']) && asked['passingSchemas'].length > 0)
        return 'fits several forms, of which only one may fit here';
      return NO_FORM;
    case 'anyOf':
      return NO_FORM;
    case 'not':
      return 'has a form that is not allowed here';
    default:
      return `breaks the rule ${keyword}: ${jsonText(asked)}`;
  }
}

/** The names of a closed object, if the error holds them. */
function listed(names: Json | undefined): readonly string[] {
  return Array.isArray(names) ? names.map(String) : [];
}
