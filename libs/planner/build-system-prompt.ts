/** The parts of a system prompt. Empty ones are left out. */
export interface SystemPromptParts {
  /** The role that the model plays. */
  readonly role: string;
  readonly objective?: string;
  /** Texts that the model has to know, by title. */
  readonly context?: { readonly [title: string]: string };
  readonly rules?: readonly string[];
}

/** The text of a `systemPrompt` from its parts, in their order. It holds no definitions of tools, because requests carry them beside the messages. */
export function buildSystemPrompt({
  role,
  objective = '',
  context = {},
  rules = [],
}: SystemPromptParts): string {
  const list = rules.map((rule) => `- ${rule}`).join('\n');
  const titled = [['Objective', objective], ...Object.entries(context), ['Rules', list]];
  const sections = titled.filter(([, text]) => text !== '').map(([title, text]) => `## ${title}\n${text}`);
  return [role, ...sections].filter((part) => part !== '').join('\n\n');
}
