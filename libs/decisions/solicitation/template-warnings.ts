import { escapePointerToken, jsonText, LISTED_PROBLEMS, type Problem } from '#lib/kernel';
import type { MachineDefinition, SpecialistDeclaration } from '#lib/decisions/machines';
import type { ContextExemplar, ProposerContext } from '#lib/decisions/session';
import { textsIn } from './proposing-workflow.js';
import { templateTokens, type TemplateToken } from '#lib/call-rules';

/** The known names at a tag, innermost section first; `any`: the members depend on the session. */
type Scope = readonly (ReadonlySet<string> | 'any')[];

/** The names that a section over each member of the context puts in scope. */
const MEMBERS: { readonly [Member in keyof ProposerContext]-?: readonly string[] | 'any' } = {
  sessionId: [],
  machineName: [],
  currentState: [],
  prompt: [],
  transitions: 'any',
  history: ['transitionName', 'fromState', 'toState', 'reasoning', 'metaJson'],
  metaJson: 'any',
  exemplars: [
    'sessionId',
    'roundId',
    'currentState',
    'transitionName',
    'toState',
    'reasoning',
    'metaJson',
    'sessionMetaJson',
    'decidedAt',
  ] satisfies (keyof ContextExemplar)[],
};

const KNOWN = Object.keys(MEMBERS);
const ROOT: Scope = [new Set(KNOWN)];

/** The tags of a template that never show a value: a misspelt name is no error but empty text. At most 20 names; empty for a broken template. */
export function templateWarnings(template: string): readonly string[] {
  try {
    return [...new Set(unknownNames(templateTokens(template), ROOT))]
      .slice(0, LISTED_PROBLEMS)
      .map(
        (name) =>
          `${jsonText(name)} is not a member of the context and always empty; the members are ${KNOWN.join(', ')}`,
      );
  } catch {
    return [];
  }
}

/** As `templateWarnings`, for every template of a machine: the first 20. */
export function machineTemplateWarnings({ specialists, states }: MachineDefinition): readonly Problem[] {
  return [
    ...declared('/specialists', specialists),
    ...Object.entries(states).flatMap(([name, state]) =>
      declared(`/states/${escapePointerToken(name)}/specialists`, state.specialists),
    ),
  ].slice(0, LISTED_PROBLEMS);
}

/** As `templateWarnings`, for the templates of one specialist. */
export function specialistTemplateWarnings(
  { contextTemplate = '', systemPrompt = '', workflow }: Templates,
  path = '',
): readonly Problem[] {
  return [
    ...located(`${path}/contextTemplate`, templateWarnings(contextTemplate)),
    ...located(`${path}/systemPrompt`, templateWarnings(systemPrompt)),
    ...located(`${path}/workflow/input`, textsIn(workflow?.input).flatMap(templateWarnings)),
  ];
}

type Templates = Pick<SpecialistDeclaration, 'contextTemplate' | 'systemPrompt' | 'workflow'>;

function declared(path: string, specialists: readonly SpecialistDeclaration[] = []): readonly Problem[] {
  return specialists.flatMap((one, index) => specialistTemplateWarnings(one, `${path}/${index}`));
}

function located(path: string, messages: readonly string[]): readonly Problem[] {
  return messages.map((message) => ({ path, message }));
}

function unknownNames(tokens: readonly TemplateToken[], scope: Scope): readonly string[] {
  return tokens.flatMap(([kind, name, , , inside]) => {
    if (kind === 'text' || kind === '!' || kind === '=') return [];
    const own = kind !== '>' && isKnown(name, scope) ? [] : [name];
    if (!Array.isArray(inside)) return own;
    const within = kind === '#' ? [opened(name, scope), ...scope] : scope;
    return [...own, ...unknownNames(inside as readonly TemplateToken[], within)];
  });
}

function isKnown(name: string, scope: Scope): boolean {
  const [first = ''] = name.split('.');
  return name === '.' || scope.some((names) => names === 'any' || names.has(first));
}

/** The names that a section puts in scope. A path into a member, and a name of an outer section, may be anything. */
function opened(name: string, scope: Scope): Scope[number] {
  const members =
    scope.length === 1 && Object.hasOwn(MEMBERS, name) ? MEMBERS[name as keyof ProposerContext] : 'any';
  return members === 'any' ? 'any' : new Set(members);
}
