import type { PriceInForce } from '#lib/call-rules';
import { proposerMode, type ProposerCheck } from '#lib/decisions/driving/core';
import {
  overriddenBy,
  overrideRefusal,
  type SpecialistLookup,
  specialistTarget,
} from '#lib/decisions/registration/core';
import {
  type ProposerExecution,
  specialistDecider,
  specialistVersion,
  unknownSpecialist,
} from '#lib/decisions/specialists';
import { escapePointerToken } from '#lib/kernel';
import { type CommandWriter, refuse, refusingAt } from '#lib/operations/core';
import type { ModelRoutes } from '#lib/runs/runs/core';
import { executionOf } from '../askable.js';
import type { ExperimentVariant } from './experiment.events.js';
import { invalidVariants, notOfModel } from './experiment.rejections.js';
import { RECORDED } from './report.rules.js';
import type { VariantQuestion } from './start-experiment.operation.js';

/** A variant with its specialist and execution. */
export interface FoundVariant {
  readonly variant: ExperimentVariant;
  readonly asksModel: boolean;
  readonly price?: PriceInForce | undefined;
}

/** Finds the specialists of variants, and checks that this process can ask them. */
export class Variants {
  constructor(
    private readonly writer: CommandWriter,
    private readonly specialists: SpecialistLookup,
    private readonly proposers: ProposerCheck,
    private readonly models: ModelRoutes,
  ) {}

  /**
   * @param machineName of the points
   * @throws RejectionError
   */
  async found(
    questions: readonly VariantQuestion[],
    machineName: string,
    { baseline, maxCostUSD }: { readonly baseline: string; readonly maxCostUSD?: number | undefined },
  ): Promise<readonly FoundVariant[]> {
    checkNames(
      questions.map(({ name }) => name),
      baseline,
    );
    const found: FoundVariant[] = [];
    for (const [index, question] of questions.entries()) {
      const path = `/variants/${index}`;
      found.push(await refusingAt(path, () => this.#one(question, machineName, maxCostUSD, path)));
    }
    return found;
  }

  /**
   * Checks variants of an experiment again: settings may have changed since it began.
   * @throws RejectionError if this process cannot ask one, or cannot say what it costs
   */
  async checkAgain(variants: readonly ExperimentVariant[], maxCostUSD: number | undefined): Promise<void> {
    for (const { specialistId, specialistVersion: version, specialistMachine, overrides } of variants) {
      const specialist = await this.#specialist({ machineName: specialistMachine, specialistId }, version);
      this.#check(overriddenBy(executionOf(specialist), overrides), maxCostUSD);
    }
  }

  async #specialist(name: Parameters<typeof specialistTarget>[0], version: number | undefined) {
    const state = await this.writer.state(specialistDecider, specialistTarget(name));
    return specialistVersion(state, version) ?? refuse(unknownSpecialist(name.specialistId, version));
  }

  #check(execution: ProposerExecution, maxUSD: number | undefined): void {
    this.proposers.check(maxUSD === undefined ? execution : withLimit(execution, maxUSD));
  }

  async #one(
    { name, specialistId, version, ...overrides }: VariantQuestion,
    machineName: string,
    maxUSD: number | undefined,
    path: string,
  ): Promise<FoundVariant> {
    const specialistMachine = await this.specialists.machineOf({ specialistId }, machineName);
    const specialist = await this.#specialist({ machineName: specialistMachine, specialistId }, version);
    const registered = executionOf(specialist);
    const asksModel = 'modelId' in registered;
    if (!asksModel && Object.keys(overrides).length > 0) refuse(notOfModel(name, specialistId));
    const refusal = overrideRefusal(`variant ${name}`, overrides, path);
    if (refusal) refuse(refusal);
    const execution = overriddenBy(registered, overrides);
    this.#check(execution, maxUSD);
    const { version: specialistVersionNow } = specialist;
    const variant = {
      name,
      specialistId,
      specialistVersion: specialistVersionNow,
      specialistMachine,
      overrides,
    };
    return { variant, asksModel, price: this.#priceOf(execution) };
  }

  #priceOf(execution: ProposerExecution): PriceInForce | undefined {
    const mode = proposerMode(execution, this.models);
    return mode.kind === 'model' ? mode.routes[0]?.price : undefined;
  }
}

/** The execution with a limit in US dollars: the price of every model must be known. */
function withLimit(execution: ProposerExecution, maxUSD: number): ProposerExecution {
  return 'modelId' in execution ? { ...execution, budget: { per: 'call', maxUSD } } : execution;
}

function checkNames(names: readonly string[], baseline: string): void {
  const twice = names.findIndex((name, index) => names.indexOf(name) !== index);
  if (twice >= 0)
    refuse(
      invalidVariants(`/variants/${twice}/name`, {
        what: `variant ${names[twice]}`,
        why: 'several have this name',
        fix: 'Give each a name of its own',
      }),
    );
  const recorded = names.indexOf(RECORDED);
  if (recorded >= 0)
    refuse(
      invalidVariants(`/variants/${recorded}/name`, {
        what: `variant ${RECORDED}`,
        why: 'the recorded decisions have this name',
        fix: 'Choose another name',
      }),
    );
  if (baseline !== RECORDED && !names.includes(baseline))
    refuse(
      invalidVariants('/baseline', {
        what: `baseline ${baseline}`,
        why: 'no variant has this name',
        fix: `Name a variant, or ${RECORDED}`,
      }),
    );
}

/** Every prompt must be for a state of the points. @throws RejectionError */
export function checkPrompts(
  questions: readonly VariantQuestion[],
  points: readonly { readonly state: string }[],
): void {
  if (points.length === 0) return;
  const states = new Set(points.map(({ state }) => state));
  for (const [index, { name, prompts = {} }] of questions.entries()) {
    const stray = Object.keys(prompts).find((state) => !states.has(state));
    if (stray === undefined) continue;
    const text = {
      what: `variant ${name}`,
      why: `it has a prompt for the state ${stray}, in which no point was decided`,
      fix: 'Name a state of the points, or choose other points',
    };
    refuse(invalidVariants(`/variants/${index}/prompts/${escapePointerToken(stray)}`, text));
  }
}
