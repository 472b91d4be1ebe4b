import { explain, jsonText, ownMember, type Problem } from '#lib/kernel';
import type { ProposerContext } from '#lib/session';
import mustache from 'mustache';

/**
 * The context as text: Mustache without HTML escaping. A name that is missing is empty, and only what the context itself holds is
 * there: what JavaScript adds to every object (`constructor`, `toString`) is not. An object or a list is written as JSON.
 */
export function renderTemplate(template: string, context: ProposerContext): string {
  return writer.render(template, new OwnMembers(context));
}

class OwnMembers extends mustache.Context {
  override push(view: unknown): OwnMembers {
    return new OwnMembers(view, this);
  }

  override lookup(name: string): unknown {
    if (name === '.') return this.view;
    const found = memberAt(this.view, name.split('.'));
    return found === undefined ? this.parent?.lookup(name) : found;
  }
}

class PlainText extends mustache.Writer {
  override escapedValue(token: string[], context: OwnMembers): string {
    return this.unescapedValue(token, context);
  }

  override unescapedValue([, name = '']: string[], context: OwnMembers): string {
    const value = context.lookup(name) ?? '';
    return typeof value === 'string' ? value : jsonText(value);
  }
}

const writer = new PlainText();

function memberAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (holder, name) =>
      typeof holder === 'object' && holder !== null ? ownMember(holder as Members, name) : undefined,
    value,
  );
}

type Members = { readonly [name: string]: unknown };

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
