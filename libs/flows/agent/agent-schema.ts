import { closedSchema as closed } from '#lib/json-schema';
import type { JsonObject } from '#lib/kernel';
import { plainParametersSchema } from '#lib/call-rules';
import { INSTRUCTION_KINDS } from './agent-definition.js';

const text = { type: 'string' };
const some = { type: 'string', minLength: 1 };
const flag = { type: 'boolean' };
const json = { type: 'object' };
const name = { type: 'string', pattern: '^[A-Za-z0-9][A-Za-z0-9._@-]{0,127}$' };
const texts = { type: 'array', items: some, maxItems: 256 };
const toolId = { type: 'string', pattern: '^[A-Za-z0-9_-]{1,64}$' };
const ref = (part: string): JsonObject => ({ $ref: `#/$defs/${part}` });
const listOf = (items: JsonObject): JsonObject => ({ type: 'array', items, maxItems: 256 });
const orList = (one: JsonObject): JsonObject => ({
  anyOf: [one, { type: 'array', items: one, maxItems: 64 }],
});
const textOr = (form: JsonObject): JsonObject => ({ anyOf: [some, form] });
const trueOr = (form: JsonObject): JsonObject => ({ anyOf: [{ const: true }, form] });
const whole = (minimum: number, maximum: number): JsonObject => ({ type: 'integer', minimum, maximum });

const tools = {
  ...listOf({
    anyOf: [
      toolId,
      closed({ tool: toolId, validateInput: ref('predicate'), checkPermissions: ref('predicate') }, ['tool']),
    ],
  }),
  maxItems: 128,
  description: 'Registered tools, with the gates of their calls.',
};

/** Hooks by name. Observers return no directive. */
const hooks = (observers: readonly string[], directing: readonly string[] = []): JsonObject =>
  closed({
    ...Object.fromEntries(observers.map((one) => [one, ref('observer')])),
    ...Object.fromEntries(directing.map((one) => [one, ref('hook')])),
  });

const conditions = {
  when: {
    ...orList({ type: 'string', pattern: '^\\s*(!\\s*)?[^\\s!]' }),
    description:
      'Conditions that the model judges: at least one holds, and none of the exclusions, which begin with `!`.',
  },
  if: { ...orList(ref('predicate')), description: 'All of them hold.' },
};

const branch = closed({ ...conditions, then: { anyOf: [some, ref('directive')] }, label: text }, ['then']);

const instruction = closed(
  {
    ...conditions,
    id: name,
    kind: { ...text, enum: [...INSTRUCTION_KINDS], default: 'should' },
    prompt: { ...some, description: 'Mustache over data, context, session and history.' },
    enabled: { ...flag, default: true },
    tags: texts,
    metadata: json,
  },
  ['prompt'],
);

const step = closed({
  ...conditions,
  id: name,
  description: text,
  prompt: { ...text, description: "The model's task at this step. Mustache." },
  auto: { ...flag, description: 'Passed without a model.' },
  reply: { ...some, description: "The message of the step, in place of the model's. Mustache." },
  collect: { ...texts, description: 'Data that the step collects: it is satisfied once all are present.' },
  requires: { ...texts, description: 'Data that must be present before the step is entered.' },
  skip: { ...orList(ref('predicate')), description: 'The step is passed over if one of these holds.' },
  tools,
  instructions: listOf(ref('instruction')),
  prepare: { ...ref('hook'), description: 'Before each execution of the step.' },
  finalize: { ...ref('hook'), description: 'After the model.' },
  hooks: hooks(['onExit'], ['onEnter', 'prepare', 'finalize']),
  branches: {
    ...listOf(ref('branch')),
    minItems: 1,
    description: 'The first branch that applies gives the next step.',
  },
  next: { ...orList(some), description: 'Default: the step after this one. Of several the model chooses.' },
});

const flow = closed(
  {
    ...conditions,
    id: name,
    title: some,
    description: text,
    tools,
    instructions: listOf(ref('instruction')),
    requiredFields: { ...texts, description: 'The flow is complete once all of these data are present.' },
    optionalFields: texts,
    initialData: json,
    steps: { ...listOf(ref('step')), minItems: 1 },
    onComplete: { ...some, description: 'The flow that follows.' },
    reentrant: {
      ...flag,
      default: false,
      description: 'The router may choose the completed flow again, if the user asks for it again.',
    },
    entry: {
      const: 'directive',
      description: 'The router never chooses it: a directive, a branch or onComplete leads to it.',
    },
    routingExtrasSchema: {
      ...json,
      description: "JSON Schema of the router's extras for this flow.",
    },
    responseOutputSchema: {
      ...json,
      description: 'JSON Schema of the data of an answer in this flow, besides its message.',
    },
    hooks: hooks(['onExit', 'onDataUpdate', 'onContextUpdate'], ['onEnter', 'onComplete']),
  },
  ['title', 'steps'],
);

const data = json;
const reason = text;

const plainMembers = {
  goTo: textOr(
    closed({ flow: some, step: some, data, reason, carry: { ...text, enum: ['preserve', 'reset'] } }, [
      'flow',
    ]),
  ),
  goToStep: textOr(closed({ step: some, flow: some, data, reason }, ['step'])),
  complete: trueOr(closed({ reason })),
  abort: textOr(closed({ reason: some, clearSession: flag }, ['reason'])),
  reset: trueOr(closed({ step: some, clearData: flag, reason })),
  reply: text,
  dataUpdate: json,
  contextUpdate: json,
  appendPrompt: texts,
  injectTools: texts,
  halt: flag,
  reason,
};

/** The members of a `Directive`. A directive in `complete` has no further one in it. */
export const directiveMembers = {
  ...plainMembers,
  complete: trueOr(closed({ next: closed(plainMembers), reason })),
};

/** The schema of a `Directive`. */
export const directiveSchema = closed(directiveMembers);

const signal = closed(
  {
    ...conditions,
    id: name,
    title: text,
    description: text,
    phase: { ...text, enum: ['pre', 'post', 'both'] },
    extract: {
      ...json,
      description: 'JSON Schema of the values that the model extracts from the conversation.',
    },
    handler: {
      anyOf: [ref('observer'), closed({ ...directiveMembers, stopOtherSignals: flag, replyWith: text })],
      description: 'A directive, or a registered function or tool that answers one.',
    },
    behavior: { ...text, enum: ['once', 'always', 'cooldown'], default: 'always' },
    cooldownMs: whole(1, 31_536_000_000),
    enabled: { ...flag, default: true },
    priority: { type: 'number', default: 0 },
  },
  ['id', 'phase'],
);

/** The JSON Schema (draft 2020-12) of agents, against which `inspectAgent` checks their shape. */
export const agentSchema: JsonObject = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Redial agent',
  description: 'Conversational flows, and the data that they collect.',
  ...closed(
    {
      $schema: { ...text, description: 'For editors; not part of the agent.' },
      agentName: { ...name, description: 'Names the agent; a changed definition is its next version.' },
      goal: text,
      persona: text,
      model: some,
      backupModels: { ...texts, maxItems: 8 },
      modelParameters: plainParametersSchema,
      schema: { ...json, description: 'JSON Schema of the data: an object with properties.' },
      initialData: json,
      terms: listOf(closed({ name: some, description: text, synonyms: texts }, ['name', 'description'])),
      knowledgeBase: json,
      instructions: listOf(ref('instruction')),
      tools,
      hooks: hooks(['beforeRespond', 'onDataUpdate', 'onContextUpdate'], ['onEnter']),
      flows: { ...listOf(ref('flow')), minItems: 1 },
      signals: listOf(ref('signal')),
      signalBatchSize: { ...whole(1, 100), default: 10 },
      flowSwitchMargin: { type: 'number', minimum: 0, maximum: 100, default: 15 },
      routerMode: { const: 'ai', description: 'The model routes: there is no other router.' },
      maxAutoStepsPerTurn: { ...whole(1, 100), default: 10 },
      maxDirectiveChain: { ...whole(1, 100), default: 10 },
      maxToolLoops: { ...whole(0, 100), default: 5 },
      compaction: closed(
        {
          maxTokens: whole(1, 100_000_000),
          threshold: { type: 'number', minimum: 0.5, maximum: 0.95, default: 0.8 },
          preserveRecentCount: { ...whole(2, 1_000), default: 4 },
          maxToolResultChars: { ...whole(1, 10_000_000), default: 5_000 },
        },
        ['maxTokens'],
      ),
    },
    ['agentName', 'model', 'flows'],
  ),
  $defs: {
    predicate: {
      anyOf: [
        closed({ fn: some }, ['fn']),
        closed({ expr: { ...some, maxLength: 2_048, description: 'CEL.' } }, ['expr']),
      ],
    },
    observer: {
      anyOf: [closed({ fn: some }, ['fn']), toolId],
      description: 'A registered function, or the id of a registered tool.',
    },
    directive: directiveSchema,
    hook: { anyOf: [ref('observer'), ref('directive')] },
    branch,
    instruction,
    step,
    flow,
    signal,
  },
};
