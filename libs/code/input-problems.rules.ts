import { checkValue, errorsText, inspectSchema, problemsOfSchemas } from '#lib/json-schema';
import { jsonText, type Problem } from '#lib/kernel';
import { namesOf } from './callables.rules.js';
import type { CodeInput, CodeObject, Exit, ObjectProperty, ToolUse } from './code.input.js';
import { type Component, componentsOf } from './components.rules.js';
import { LISTEN, THINK } from './exits.rules.js';
import { reservedWords } from './reserved-words.js';

/** The same number of characters as the limit of instructions. */
const MOST_OF_SOURCES = 1_000_000;

interface Named {
  readonly path: string;
  readonly name: string;
}

/** The problems that the schema of the input cannot find: names that clash or cannot be used, invalid schemas, values that do not fit. */
export function inputProblems(input: CodeInput): readonly Problem[] {
  const { tools, objects = [], exits = [], components = [] } = input;
  const globals = [
    ...alwaysThere(input),
    ...toolNames('', tools),
    ...named('/objects', objects),
    ...componentNames(components),
  ];
  return [
    ...globals.flatMap(reservedProblem),
    ...clashes(globals),
    ...objects.flatMap(objectProblems),
    ...exitProblems(exits, input.chat === true ? [THINK, LISTEN.name] : [THINK]),
    ...problemsOfSchemas(schemasOf(input)),
    ...chatProblems(input),
    ...citationProblems(input),
  ];
}

function schemasOf({ objects = [], exits = [], components = [] }: CodeInput): [string, unknown][] {
  return [
    ...objects.flatMap(({ properties }, index) =>
      properties.map(({ schema }, at): [string, unknown] => [
        `/objects/${index}/properties/${at}/schema`,
        schema,
      ]),
    ),
    ...exits.flatMap(({ schema, parameters }, index): [string, unknown][] => [
      [`/exits/${index}/schema`, schema],
      [`/exits/${index}/parameters`, parameters],
    ]),
    ...components.map(({ props }, index): [string, unknown] => [`/components/${index}/props`, props]),
  ];
}

function chatProblems({ chat, components, transcript }: CodeInput): readonly Problem[] {
  if (chat === true) return [];
  const message = 'is for a conversation: it needs chat';
  return [
    ...(components ? [{ path: '/components', message }] : []),
    ...(transcript ? [{ path: '/transcript', message }] : []),
  ];
}

/** Limits the sources, because the model reads them in each request. */
function citationProblems({ citations }: CodeInput): readonly Problem[] {
  const isTooLong = citations !== undefined && jsonText(citations).length > MOST_OF_SOURCES;
  return isTooLong
    ? [{ path: '/citations', message: `must not be longer than ${MOST_OF_SOURCES} characters` }]
    : [];
}

/** The components that a conversation has without declaring them. */
function alwaysThere({ chat, components = [] }: CodeInput): readonly Named[] {
  const all = chat === true ? componentsOf(components) : [];
  return all.flatMap((one) => (components.includes(one) ? [] : [{ path: '/chat', name: one.name }]));
}

function componentNames(components: readonly Component[]): readonly Named[] {
  return components.flatMap(({ name, aliases = [] }, index) =>
    [name, ...aliases].map((one) => ({ path: `/components/${index}`, name: one })),
  );
}

function objectProblems({ properties, tools = [] }: CodeObject, index: number): readonly Problem[] {
  const base = `/objects/${index}`;
  const members = [...named(`${base}/properties`, properties), ...toolNames(base, tools)];
  return [
    ...clashes(members),
    ...properties.flatMap((property, at) => propertyProblems(property, `${base}/properties/${at}`)),
  ];
}

function propertyProblems({ value, schema }: ObjectProperty, path: string): readonly Problem[] {
  if (schema === undefined) return [];
  const { count, errors } = checkValue(schema, value);
  // Problems of the schema itself are reported separately.
  if (count === 0 || inspectSchema(schema).length > 0) return [];
  return [{ path: `${path}/value`, message: `does not fit its schema: ${errorsText(errors)}` }];
}

function exitProblems(exits: readonly Exit[], always: readonly string[]): readonly Problem[] {
  const names = exits.flatMap(({ name, aliases = [] }, index) =>
    [name, ...aliases].map((one) => ({ path: `/exits/${index}`, name: one.toLowerCase() })),
  );
  const reserved = names.filter(({ name }) => always.includes(name));
  return [
    ...reserved.map(({ path, name }) => ({
      path,
      message: `must not be named ${name}: that action is there always`,
    })),
    ...clashes(names),
  ];
}

function toolNames(base: string, tools: readonly ToolUse[]): readonly Named[] {
  return tools.flatMap((use, index) =>
    namesOf(use).map((name) => ({ path: `${base}/tools/${index}`, name })),
  );
}

function named(base: string, all: readonly { readonly name: string }[]): readonly Named[] {
  return all.map(({ name }, index) => ({ path: `${base}/${index}`, name }));
}

function reservedProblem({ path, name }: Named): readonly Problem[] {
  return reservedWords.has(name)
    ? [{ path, message: `must not be named ${name}: the word has a meaning in programs` }]
    : [];
}

function clashes(all: readonly Named[]): readonly Problem[] {
  return all.flatMap(({ path, name }, index) =>
    all.findIndex((one) => one.name === name) < index
      ? [{ path, message: `must not be named ${name} again` }]
      : [],
  );
}
