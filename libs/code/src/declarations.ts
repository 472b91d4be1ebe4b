import { type Callable, parametersOf } from './callables.rules.js';
import type { CodeObject, ObjectProperty } from './code.input.js';
import { documented, typeOf } from './typings.rules.js';

/** The declarations of TypeScript that programs see: functions, then objects. */
export function declarations(callables: readonly Callable[], objects: readonly CodeObject[] = []): string {
  const functions = callables.filter(({ path }) => !path.includes('.')).map(functionText);
  const all = [...functions, ...objects.map((object) => objectText(object, callables))];
  return all.length === 0 ? 'There are none.' : `\`\`\`ts\n${all.join('\n')}\n\`\`\``;
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

/** Of a property without a schema: what its first value tells. */
function plainType(value: ObjectProperty['value']): string {
  return typeof value === 'object' ? 'unknown' : typeof value;
}

/** Input may be left out where no member of it is required. */
function signature({ tool, inputs }: Pick<Callable, 'tool' | 'inputs'>): string {
  const parameters = parametersOf({ tool, inputs });
  const { required } = parameters;
  const isNeeded = Array.isArray(required) && required.length > 0;
  const output = tool.result === undefined ? 'unknown' : typeOf(tool.result);
  return `(input${isNeeded ? '' : '?'}: ${typeOf(parameters)}): Promise<${output}>`;
}
