import type { EventDefinitions } from '#lib/event-store';
import type { Json } from '#lib/kernel';
import { ALLOWANCE } from '../unit-allowance.js';
import type { Rules, Workflow } from '../workflow.js';
import type { SchemaOf } from './question.rules.js';
import { frozen } from './freeze.js';
import type { Script } from './script.js';
import { checkScript, scripted, type ScriptState } from './scripted.rules.js';

/** The tools, models and functions that a workflow calls. They are resolved once, when a run starts, and stay the same for the whole run. */
export type Uses = {
  /** Ids of tools, in their newest versions. */
  readonly tools?: readonly string[];
  readonly models?: readonly string[];
  /** Names of registered functions. A run is not started in a process that lacks one. */
  readonly functions?: readonly string[];
};

/** One version of a workflow. */
export type Body<Input, Result> = (run: {
  readonly input: Input;
  /** A UUID. */
  readonly runId: string;
}) => Script<Result>;

/** A workflow in direct style. */
export interface WorkflowDefinition<Input, Result> {
  readonly input: SchemaOf<Input>;
  /** Pure. */
  readonly uses?: Uses | ((input: Input) => Uses);
  readonly events?: EventDefinitions;
  /**
   * The scripts, by version. A run follows the version that it began with to its end. A change that alters what an open run asks for is a new version
   * beside the old one.
   */
  readonly versions: { readonly [version: number]: Body<Input, Result> };
}

/** Sources of facts that get `uses` in place of the input. */
const USED = [ALLOWANCE, 'tools', 'models', 'functions'];

/** A workflow whose versions are scripts. Its name is a lower-case letter, then letters, digits and underscores. */
export function defineWorkflow<Input, Result>(
  name: string,
  { input, uses = {}, events, versions }: WorkflowDefinition<Input, Result>,
): Workflow<ScriptState> {
  const factsInput = (given: Json): Json => (typeof uses === 'function' ? uses(given as Input) : uses);
  const given = { input, facts: USED, factsInput, check: checkScript };
  const rules = Object.entries(versions).map(([version, body]): [string, Rules<ScriptState>] => [
    version,
    scripted(given, ({ start: { data, runId } }) => body({ input: frozen(data.input) as Input, runId })),
  ]);
  return { name, ...(events && { events }), versions: Object.fromEntries(rules) };
}
