import { explain, type Problem } from '#lib/kernel';
import type { ProposerContext } from '#lib/session';
import mustache from 'mustache';

/** The context as text: Mustache without HTML escaping; a name that is missing is empty. */
export function renderTemplate(template: string, context: ProposerContext): string {
  return mustache.render(template, context, undefined, { escape: String });
}

/** Why a text is no template; `undefined` when it is one. Asked before a proposer is registered with it. */
export function templateProblem(template: string): Problem | undefined {
  try {
    mustache.parse(template);
    return undefined;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return {
      path: '/contextTemplate',
      message: explain('InvalidTemplate', 'contextTemplate', why, 'Close every {{tag}} and section'),
    };
  }
}
