import {
  Allowance,
  AllowanceExceeded,
  explain,
  jsonText,
  type Measures,
  ownMember,
  type Problem,
  RecentMap,
  thrownText,
} from '#lib/kernel';
import mustache from 'mustache';

/** The bounds of templates. They are the same on every machine, because they are part of replay. docs/limits.md lists them for authors. */
const templateLimits = {
  /** Characters of a template. */
  length: 64 * 1024,
  /** Blanks in a row: the time of the parser grows with the square of their number. */
  blanks: 256,
  /** Levels of nested sections. */
  sections: 32,
  /**
   * Steps of one rendering: about one for each tag, counted again each time its sections repeat it, and one for each 8 characters of a name that is
   * looked up.
   */
  steps: 500_000,
  /** Characters of the rendered text. */
  rendered: 1024 * 1024,
} as const;

/** A template is over one of its bounds for a context. */
export class TemplateTooLarge extends Error {}

/**
 * The context as text, by Mustache without HTML escaping. A missing name is empty. Only own members of the context count, and not those of every
 * JavaScript object (`constructor`, `toString`). An object or a list is written as JSON.
 * @param unit the allowance of the unit that the text is a part of, such as a turn
 * @throws TemplateTooLarge for the same templates and contexts everywhere
 */
export function renderTemplate(template: string, context: object, unit = new Allowance()): string {
  return unit.part(OF_ONE_RENDERING, (allowance) => renderWithin(template, context, allowance));
}

/** A renderer for several templates, which share the bounds of one. */
export function templateRenderer(context: object): (template: string) => string {
  const allowance = new Allowance(OF_ONE_RENDERING);
  return (template) => renderWithin(template, context, allowance);
}

const OF_ONE_RENDERING = { steps: templateLimits.steps, bytes: templateLimits.rendered };

function renderWithin(template: string, context: object, allowance: Allowance): string {
  const size = sizeProblem(template);
  if (size !== undefined) throw new TemplateTooLarge(size);
  try {
    return new BoundedWriter(allowance).render(template, new OwnMembers(context, undefined, allowance));
  } catch (error) {
    if (!(error instanceof AllowanceExceeded)) throw error;
    throw new TemplateTooLarge(TOO_MUCH[error.measure] ?? error.message);
  }
}

const TOO_MUCH: { readonly [measure in keyof Measures]?: string } = {
  steps: `rendering it takes more than ${templateLimits.steps} steps`,
  bytes: `it renders more than ${templateLimits.rendered} characters`,
};

const TOO_BLANK = new RegExp(`\\s{${templateLimits.blanks + 1}}`);

function sizeProblem(template: string): string | undefined {
  if (template.length > templateLimits.length) return `it has more than ${templateLimits.length} characters`;
  return TOO_BLANK.test(template) ? `it has more than ${templateLimits.blanks} blanks in a row` : undefined;
}

class OwnMembers extends mustache.Context {
  constructor(
    view: unknown,
    parent: OwnMembers | undefined,
    private readonly allowance: Allowance,
  ) {
    super(view, parent);
  }

  override push(view: unknown): OwnMembers {
    return new OwnMembers(view, this, this.allowance);
  }

  override lookup(name: string): unknown {
    this.allowance.spend(1 + name.length / 8);
    if (name === '.') return this.view;
    const found = memberAt(this.view, name.split('.'));
    return found === undefined ? this.parent?.lookup(name) : found;
  }
}

/** The parsed templates of several proposers. A session asks each of them in every round. */
const parsedTemplates = new RecentMap<unknown>(16);

class BoundedWriter extends mustache.Writer {
  /** Replaces the cache of the library, which is never emptied. */
  readonly templateCache = parsedTemplates;
  private sections = 0;

  constructor(private readonly allowance: Allowance) {
    super();
  }

  override renderTokens(...[tokens, ...rest]: Parameters<mustache.Writer['renderTokens']>): string {
    this.allowance.spend(1 + tokens.length);
    if (this.sections > templateLimits.sections)
      throw new TemplateTooLarge(`it nests more than ${templateLimits.sections} sections`);
    this.sections += 1;
    const text = super.renderTokens(tokens, ...rest);
    this.sections -= 1;
    return text;
  }

  override escapedValue(token: string[], context: OwnMembers): string {
    return this.unescapedValue(token, context);
  }

  override unescapedValue([, name = '']: string[], context: OwnMembers): string {
    const value = context.lookup(name) ?? '';
    return this.kept(typeof value === 'string' ? value : jsonText(value));
  }

  override rawValue(token: string[]): string {
    return this.kept(super.rawValue(token));
  }

  private kept(text: string): string {
    this.allowance.keep(text.length);
    return text;
  }
}

export type TemplateToken = readonly [
  kind: string,
  name: string,
  start: number,
  end: number,
  ...rest: readonly unknown[],
];

/** The parsed template, as nested lists. @throws Error for a text that is not a template */
export function templateTokens(template: string): readonly TemplateToken[] {
  return new BoundedWriter(new Allowance()).parse(template);
}

function memberAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (holder, name) =>
      typeof holder === 'object' && holder !== null ? ownMember(holder as Members, name) : undefined,
    value,
  );
}

type Members = { readonly [name: string]: unknown };

/** The problem of a text that is not a template; `undefined` if it is one. Checked before a proposer is registered with it. */
export function templateProblem(template: string, member = 'contextTemplate'): Problem | undefined {
  const size = sizeProblem(template);
  if (size !== undefined) return problem(member, size, 'Shorten it');
  try {
    templateTokens(template);
    return undefined;
  } catch (error) {
    const why = thrownText(error);
    return problem(member, why, 'Close every {{tag}} and section');
  }
}

function problem(member: string, why: string, fix: string): Problem {
  return { path: `/${member}`, message: explain('InvalidTemplate', member, why, fix) };
}
