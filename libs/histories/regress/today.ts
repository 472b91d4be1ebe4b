import { functionActivity, type NamedFunctions, Redactor } from '#lib/activities';
import { type FunctionPurpose, functionPurpose } from '#lib/call-rules';
import type { MachineDefinition } from '#lib/decisions/machines';
import type { Event, JsonObject, RecordedEvent } from '#lib/kernel';
import {
  type Activity,
  type ActivityEvent,
  memoryOf,
  newestVersion,
  type Rules,
  type Run,
  type RunGiven,
  type WorkflowRegistry,
  type WorkflowStarted,
} from '#lib/workflow';

type Functions = { readonly [name: string]: (...given: never[]) => unknown };

/** Today's functions. A function that is not given keeps its recorded outcome. */
export interface GivenFunctions {
  readonly strategies?: Functions;
  readonly contexts?: Functions;
  readonly arbiters?: Functions;
  readonly functions?: Functions;
}

/** Today's code and definitions. */
export interface TodayGiven {
  readonly machines?: readonly MachineDefinition[];
  readonly functions?: GivenFunctions;
  /** All workflows, with those of the application. */
  readonly workflows: WorkflowRegistry;
  /** Runs follow the newest version of their workflow. Default: the version that their start names. */
  readonly newest?: boolean;
}

const CLOSED = new AbortController().signal;

/** Today's code and definitions, with which histories are compared. */
export class Today {
  readonly #machines: ReadonlyMap<string, MachineDefinition>;
  readonly #unused: Set<string>;
  readonly #functions: { readonly [purpose in FunctionPurpose]: NamedFunctions };
  readonly #activity: Activity<RunGiven>;

  constructor(private readonly given: TodayGiven) {
    this.#machines = new Map((given.machines ?? []).map((machine) => [machine.machineName, machine]));
    this.#unused = new Set(this.#machines.keys());
    const { strategies, contexts, arbiters, functions } = given.functions ?? {};
    this.#functions = {
      strategy: named('strategy', strategies),
      context: named('context', contexts),
      verdict: named('arbiter', arbiters),
      hook: named('function', functions),
      function: named('function', functions),
    };
    this.#activity = functionActivity(this.#functions, new Redactor([]));
  }

  /** Today's definition of a machine; `undefined`: the recorded definition counts. */
  machine(machineName: string): MachineDefinition | undefined {
    this.#unused.delete(machineName);
    return this.#machines.get(machineName);
  }

  /** The given machines of which no compared history is a session. */
  get unusedMachines(): readonly string[] {
    return [...this.#unused];
  }

  /** The version that a recorded run follows today, and its rules; `undefined` if the workflow or the version is missing. */
  rulesOf({
    workflow: name,
    version: recorded,
  }: WorkflowStarted['data']): { version: number; rules: Rules } | undefined {
    const workflow = this.given.workflows.named(name);
    const version = workflow && this.given.newest ? newestVersion(workflow) : recorded;
    const rules = workflow?.versions[version];
    return rules && { version, rules };
  }

  /** The problem of a run whose workflow is here without its version. */
  missingVersion({ workflow: name, version }: WorkflowStarted['data']): string | undefined {
    const workflow = this.given.workflows.named(name);
    return (
      workflow && `version ${version} of its workflow ${name} is not here: keep it, or compare with --newest`
    );
  }

  /** The outcome of a call today. A given function is called with today's input; every other outcome is the recorded one. */
  async outcomeOf(recorded: RecordedEvent, run: Run): Promise<Event> {
    const { stepId } = recorded.data as ActivityEvent['data'];
    const step = run.steps.open.get(stepId);
    if (step?.kind !== 'call' || step.activity !== this.#activity.name) return recorded;
    const request: JsonObject = step.request.data;
    const functions = this.#functions[functionPurpose(request)];
    if (!functions.named(request['fnName'] as string)) return recorded;
    const context = { runId: run.runId, stepId, signal: CLOSED, emit: () => undefined };
    const given = memoryOf(run, this.#activity.name) as RunGiven;
    const outcome = await this.#activity.perform(request, context, given);
    const { completed, failed } = this.#activity.events;
    if ('failed' in outcome) return { type: failed, data: { stepId, ...outcome.failed } };
    // The recorded duration is kept: it is a fact.
    const { durationMs = outcome.completed['durationMs'] } = recorded.data as JsonObject;
    return { type: completed, data: { stepId, ...outcome.completed, durationMs } };
  }
}

function named(kind: string, functions: Functions = {}): NamedFunctions {
  const own = new Map(Object.entries(functions));
  return {
    kind,
    names: () => [...own.keys()],
    named: (fnName) => own.get(fnName),
  };
}
