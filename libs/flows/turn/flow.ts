import { checkShape } from '#lib/json-schema';
import { isJsonObject, RedialError } from '#lib/kernel';
import { directiveSchema } from '../agent/agent-schema.js';
import type { Directive } from '../agent/directive-definition.js';
import { courseProblems } from '../agent/directive-problems.rules.js';
import { mergeDirectives } from './directive.rules.js';

/** A directive breaks a rule of directives. */
export class InvalidDirective extends RedialError {}

/** Directives as values, by the rules of turns. Flows and data are checked against an agent where a directive is applied. */
export const flow = {
  /** Whether a value may be a directive: an object and not a list. */
  isDirective: (value: unknown): value is Directive => isJsonObject(value),

  /** @throws InvalidDirective for members of another shape, several positions, or a reply beside `abort` */
  validate(directive: Directive): void {
    const shape = checkShape(directiveSchema, directive).errors;
    const problems =
      shape.length > 0
        ? shape.map(({ path, keyword }) => ({ path, message: `breaks the rule ${keyword}` }))
        : courseProblems(directive);
    if (problems.length === 0) return;
    const why = problems.map(({ path, message }) => `${path || '/'} ${message}`).join('; ');
    throw new InvalidDirective('directive is not valid', why, 'Correct the members that are listed');
  },

  /**
   * Merges directives of a turn: the strongest position (of equals the last), the last reply (none beside `abort`), and all
   * updates in order. The merge of valid directives is valid, unless its lists become too long.
   */
  merge(...directives: readonly Directive[]): Directive {
    const emitted = directives.map((directive) => ({ source: '', directive }));
    const { position, sourcesOfData: _, reply: said, ...updates } = mergeDirectives(emitted, 'before');
    const { goTo, goToStep, complete, abort, reset, reason } = position?.directive ?? {};
    const reply = abort === undefined ? said : undefined;
    const course = { goTo, goToStep, complete, abort, reset, reason, reply };
    return Object.fromEntries([
      ...Object.entries(course).filter(([, value]) => value !== undefined),
      ...Object.entries(updates).filter(([, value]) => saysAnything(value)),
    ]);
  },
};

function saysAnything(update: object | boolean): boolean {
  return typeof update === 'object' ? Object.keys(update).length > 0 : update;
}
