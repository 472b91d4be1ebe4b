import { checkValue } from '#lib/json-schema';
import { type Allowance, isJsonObject, type Json, type JsonObject, jsonText } from '#lib/kernel';

/** A part of a message of a conversation: `yield <Name prop={…}>…</Name>`. */
export interface Component {
  /** An identifier with a capital letter. */
  readonly name: string;
  readonly description: string;
  readonly aliases?: readonly string[];
  /** The JSON Schema of an object. Without one, any props are taken. */
  readonly props?: JsonObject;
  /** The component takes no children. */
  readonly leaf?: boolean;
}

/** A component with its props, and its children: texts and elements. */
export type Element = {
  readonly component: string;
  readonly props: JsonObject;
  readonly children: readonly (string | Element)[];
};

const MESSAGE: Component = {
  name: 'Message',
  description: 'A message to the user: text in Markdown, and components',
  props: {},
};
const TEXT: Component = { name: 'Text', description: 'Text in Markdown', props: {} };
/** The components of every conversation that does not declare others with these names. */
const ALWAYS = [MESSAGE, TEXT];
/** The most elements of one message. The limit of characters is for its JSON text. */
const MOST_ELEMENTS = 200;
const MOST_CHARACTERS = 65_536;

export function componentsOf(declared: readonly Component[] = []): readonly Component[] {
  const names = namesOf(declared);
  return [...ALWAYS.filter(({ name }) => names[name] === undefined), ...declared];
}

/** The names of components, by their names in programs. */
export function namesOf(components: readonly Component[]): { readonly [name: string]: string } {
  return Object.fromEntries(
    components.flatMap(({ name, aliases = [] }) => [name, ...aliases].map((one) => [one, name])),
  );
}

/** The message of a value that a program yielded: an element, or a text. */
export function messageOf(
  yielded: Json,
  components: readonly Component[],
  unit: Allowance,
): { readonly element: Element } | { readonly problem: string } {
  if (jsonText(yielded).length > MOST_CHARACTERS)
    return { problem: `A message has more than ${MOST_CHARACTERS} characters.` };
  const element = typeof yielded === 'string' ? textMessage(yielded, components) : yielded;
  const [problem] = problemsOf(element, components, { left: MOST_ELEMENTS, unit });
  return problem === undefined ? { element: element as Element } : { problem };
}

/** The whole text of an element. */
export function textOf({ children }: Element): string {
  return children.map((child) => (typeof child === 'string' ? child : textOf(child))).join('');
}

function textMessage(text: string, components: readonly Component[]): Json {
  const component = namesOf(components)[MESSAGE.name] ?? MESSAGE.name;
  return { component, props: {}, children: [text] };
}

function* problemsOf(
  element: Json | undefined,
  components: readonly Component[],
  bound: { left: number; readonly unit: Allowance },
): Generator<string> {
  if (bound.left-- === 0) yield `A message has more than ${MOST_ELEMENTS} elements.`;
  const { component: name, props, children } = isJsonObject(element) ? element : {};
  const component = components.find((one) => one.name === name);
  if (typeof name !== 'string') return yield 'Only components and texts can be yielded.';
  if (!component) return yield `There is no component ${jsonText(name)}.`;
  if (!isJsonObject(props) || !Array.isArray(children)) return yield `${name} has no props and children.`;
  const { errors } = checkValue(component.props ?? {}, props, bound.unit);
  for (const { path, keyword, params } of errors)
    yield `The props of ${name} do not fit: ${path || '/'} ${keyword} ${jsonText(params)}`;
  if (component.leaf === true && children.length > 0) yield `${name} takes no children.`;
  for (const child of children as readonly Json[])
    if (typeof child !== 'string') yield* problemsOf(child, components, bound);
}
