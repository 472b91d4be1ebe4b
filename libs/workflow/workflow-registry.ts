import { RedialError } from '#lib/kernel';
import type { Rules, Workflow } from './workflow.js';

/** A workflow cannot be registered under this name. Found at start. */
export class InvalidWorkflowName extends RedialError {}

/** Categories of streams that are not runs. */
const RESERVED = new Set([
  'machine',
  'gate',
  'specialist',
  'session',
  'person',
  'agent',
  'conversation',
  'exemplars',
  'tool',
  'call',
  'reaction',
  'blob',
  'log',
]);
const NAME = /^[a-z][A-Za-z0-9_]{0,63}$/;

/** The newest version of the script helpers in this release. A start event that names none has 1. */
export const HELPERS = 1;

/** Whether this release has this version of the helpers. */
export function hasHelpers(helpers = 1): boolean {
  return helpers <= HELPERS;
}

/** The rules that a run follows to its end, as its start event names them. */
interface Versions {
  readonly workflow: string;
  readonly version: number;
  readonly helpers?: number;
}

/** Whether streams of this category are runs. The workflow may be one that this process does not have. */
export function isRunCategory(category: string): boolean {
  return NAME.test(category) && !RESERVED.has(category);
}

/** The workflows of a process, by name. */
export class WorkflowRegistry {
  readonly #byName = new Map<string, Workflow>();

  /** @throws InvalidWorkflowName */
  constructor(workflows: readonly Workflow[]) {
    for (const workflow of workflows) this.#add(workflow);
  }

  get all(): readonly Workflow[] {
    return [...this.#byName.values()];
  }

  named(name: string): Workflow | undefined {
    return this.#byName.get(name);
  }

  /** Whether only the engine starts, signals, cancels and forks the runs of this workflow. */
  isInternal(name: string): boolean {
    return this.#byName.get(name)?.internal === true;
  }

  /** The rules that a start event names; `undefined` if this process does not have them. */
  rulesOf({ workflow, version, helpers }: Versions): Rules | undefined {
    return hasHelpers(helpers) ? this.#byName.get(workflow)?.versions[version] : undefined;
  }

  #add(workflow: Workflow): void {
    const { name } = workflow;
    const why = !NAME.test(name)
      ? 'a name is a lower-case letter and at most 63 letters, digits and underscores'
      : RESERVED.has(name)
        ? 'streams of this category are not runs'
        : this.#byName.has(name)
          ? 'another workflow has this name'
          : undefined;
    if (why !== undefined)
      throw new InvalidWorkflowName(`workflow ${JSON.stringify(name)}`, why, 'Rename it');
    this.#byName.set(name, workflow);
  }
}

/** The version that new runs follow. */
export function newestVersion({ versions }: Workflow): number {
  return Math.max(...Object.keys(versions).map(Number));
}
