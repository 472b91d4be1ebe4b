import { type Json, jsonText } from '#lib/kernel';
import { type Callable, parametersOf } from './callables.rules.js';
import { tagOf } from './citations.js';
import type { CodeInput, CodeObject, Exit, ObjectProperty } from './code.input.js';
import { transcriptText } from './chat.rules.js';
import type { Component } from './components.rules.js';
import { schemaOf } from './exits.rules.js';
import { documented, oneLine, typeOf } from './typings.rules.js';

/** The tools, objects, exits and components that a program can use. */
interface Uses {
  readonly callables: readonly Callable[];
  readonly exits: readonly Exit[];
  readonly components: readonly Component[];
}

/** The messages before the first reply: an explanation of code, the functions and values that it can use, and the work, or the conversation so far. */
export function firstMessages(
  { instructions, objects, chat, transcript = [], citations }: CodeInput,
  { callables, exits, components }: Uses,
): readonly Json[] {
  const parts = [
    GUIDE,
    ...(chat === true ? [CHAT_GUIDE, componentsText(components)] : []),
    ...(citations ? [citationsText(citations)] : []),
    `# Tools\n\n${toolsText(declarations(callables, objects))}`,
    exitsText(exits),
    `# Instructions\n\n${instructions}`,
  ];
  const system = { role: 'system', content: parts.join('\n\n') };
  if (chat !== true)
    return [system, { role: 'user', content: 'Write the code that follows the instructions.' }];
  return transcript.length > 0 ? [system, { role: 'user', content: transcriptText(transcript) }] : [system];
}

const GUIDE = `You work by writing TypeScript. Answer with one code block, and nothing else:

\`\`\`tsx
// what you plan
const found = await someTool({ id: 1 });
return { action: 'name of an action', value: found };
\`\`\`

- The code runs in a sandbox: no network, no files, no imports, no timers. It has the standard library of JavaScript, and the tools below, which are async functions. Use \`await\`, and \`Promise.all\` for calls that do not depend on each other.
- Errors of tools are thrown: catch what you can handle.
- It must return an object with an \`action\`. To look at values before you decide, return \`{ action: 'think', reason, …values }\`: you are shown the values, and write the next code.
- Variables of its top level stay for the next code, and so does what is written to properties of objects. A property is written as a whole: the value that it has is read-only.`;

const CHAT_GUIDE = `# Conversation

You talk with a user. Send a message with \`yield\`, in JSX: \`yield <Message>Hello</Message>\`. It is sent when it is yielded, also if the code fails later. Send at least one in each turn, then return \`{ action: 'listen' }\` to wait for the user.`;

function citationsText(sources: readonly Json[]): string {
  const guide =
    'Texts cite sources by their tags. Put the tag of a source behind what it says: `It is so【0】.` `cite(source)` gives the tag of another source.';
  const listed = sources.map((source, id) => {
    return `${tagOf(id)} ${typeof source === 'string' ? source : jsonText(source)}`;
  });
  return ['# Citations', guide, ...listed].join('\n\n');
}

function componentsText(components: readonly Component[]): string {
  const listed = components.map(({ name, description, aliases = [], props, leaf }) => {
    const others = aliases.length > 0 ? ` (also ${aliases.join(', ')})` : '';
    const children = leaf === true ? ' No children.' : '';
    return `- \`<${name}>\`${others}: ${oneLine(description)}. Props: \`${typeOf(props ?? {})}\`.${children}`;
  });
  return `# Components\n\n${listed.join('\n')}`;
}

function exitsText(exits: readonly Exit[]): string {
  const listed = exits.map((exit) => {
    const { name, description, aliases = [] } = exit;
    const schema = schemaOf(exit);
    const others = aliases.length > 0 ? ` (also ${aliases.join(', ')})` : '';
    const value = schema === undefined ? '' : ` \`value: ${typeOf(schema)}\``;
    return `- \`${name}\`${others}: ${oneLine(description)}.${value}`;
  });
  return `# Actions\n\n${listed.join('\n')}`;
}

const FENCE = /^[ \t]*(`{3,}|~{3,})[ \t]*([^\s`]*)[^\n]*\n?/gm;
const CLOSING = /^[ \t]*(`{3,}|~{3,})[ \t]*$/gm;
const LANGUAGES = new Set(['tsx', 'ts', 'jsx', 'js', 'typescript', 'javascript', '']);

/** The first fenced block of code of a reply, closed or not; without a fence, the whole reply. */
export function codeIn(reply: string): string {
  FENCE.lastIndex = 0;
  for (let open = FENCE.exec(reply); open; open = FENCE.exec(reply)) {
    const [, fence = '', language = ''] = open;
    const rest = reply.slice(FENCE.lastIndex);
    const close = closing(rest, fence);
    const code = close ? rest.slice(0, close.index) : rest;
    if (LANGUAGES.has(language.toLowerCase())) return code.replace(/\n$/, '');
    FENCE.lastIndex = close ? FENCE.lastIndex + close.index + close[0].length : reply.length;
  }
  return /^[ \t]*(`{3,}|~{3,})/m.test(reply) ? '' : reply.trim();
}

/** The fence of a reply may have any length. */
function closing(text: string, fence: string): RegExpExecArray | undefined {
  for (const found of text.matchAll(CLOSING)) if (found[1] === fence) return found;
  return undefined;
}

function toolsText(declared: string): string {
  return declared === '' ? 'There are none.' : `\`\`\`ts\n${declared}\n\`\`\``;
}

/** The TypeScript declarations that programs see: functions, then objects. */
export function declarations(callables: readonly Callable[], objects: readonly CodeObject[] = []): string {
  const functions = callables.filter(({ path }) => !path.includes('.')).map(functionText);
  return [...functions, ...objects.map((object) => objectText(object, callables))].join('\n');
}

function functionText(callable: Callable): string {
  const { path, tool } = callable;
  return `${documented(tool.description)}declare function ${path}${signature(callable)};`;
}

function objectText(
  { name, description = '', properties }: CodeObject,
  callables: readonly Callable[],
): string {
  const methods = callables
    .filter(({ path }) => path.startsWith(`${name}.`))
    .map(({ path, ...callable }) => {
      const method = path.slice(name.length + 1);
      return `  ${documented(callable.tool.description)}${method}${signature(callable)};`;
    });
  const members = [...properties.map(propertyText), ...methods];
  return `${documented(description)}declare const ${name}: {\n${members.join('\n')}\n};`;
}

function propertyText({ name, description = '', writable = false, schema, value }: ObjectProperty): string {
  const type = schema === undefined ? plainType(value) : typeOf(schema);
  return `  ${documented(description)}${writable ? '' : 'readonly '}${name}: ${type};`;
}

/** The type of a property without a schema: that of its first value. */
function plainType(value: ObjectProperty['value']): string {
  return typeof value === 'object' ? 'unknown' : typeof value;
}

/** The parameter of a function. It is optional if no member of the input is required. */
function signature({ tool, inputs }: Pick<Callable, 'tool' | 'inputs'>): string {
  const parameters = parametersOf({ tool, inputs });
  const { required } = parameters;
  const isNeeded = Array.isArray(required) && required.length > 0;
  const output = tool.result === undefined ? 'unknown' : typeOf(tool.result);
  return `(input${isNeeded ? '' : '?'}: ${typeOf(parameters)}): Promise<${output}>`;
}
