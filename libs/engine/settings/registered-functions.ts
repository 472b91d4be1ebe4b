import { functionActivity } from '#lib/activities';
import { ArbiterFunctions } from '#lib/decisions/arbitration';
import type { MachineDefinition } from '#lib/decisions/machines';
import { declaredProblems, RegistrationChecks } from '#lib/decisions/registration/core';
import { ProposerFunctions, registeredFunctions } from '#lib/decisions/solicitation';
import { type Agent, missingFunctions } from '#lib/flows/core';
import type { Problem } from '#lib/kernel';
import { type Activity, ActivityRegistry } from '#lib/workflow';
import { EngineSettings } from './engine-settings.js';
import type { RedialOptions } from './redial-options.js';

export function registeredProposers({ strategies = {}, contexts = {} }: RedialOptions): ProposerFunctions {
  const functions = new ProposerFunctions();
  for (const [name, strategy] of Object.entries(strategies)) functions.registerStrategy(name, strategy);
  for (const [name, context] of Object.entries(contexts)) functions.registerContext(name, context);
  return functions;
}

export function registeredArbiters({ arbiters = {} }: RedialOptions): ArbiterFunctions {
  const functions = new ArbiterFunctions();
  for (const [name, arbiter] of Object.entries(arbiters)) functions.registerArbiter(name, arbiter);
  return functions;
}

/** The problems of the specialists that a valid machine declares, in an engine with these options. No engine is started. */
export function machineProblemsWith(options: RedialOptions, machine: MachineDefinition): readonly Problem[] {
  const { workflows } = new EngineSettings(options);
  const checks = new RegistrationChecks(registeredProposers(options), registeredArbiters(options), workflows);
  return declaredProblems(machine, checks);
}

/** The functions that a valid agent names and that these options lack. */
export function agentProblemsWith(options: RedialOptions, agent: Agent): readonly Problem[] {
  const { redactor } = new EngineSettings(options);
  const functions = registeredFunctions(
    options.functions ?? {},
    registeredProposers(options),
    registeredArbiters(options),
  );
  return missingFunctions(agent, new ActivityRegistry<Activity>([functionActivity(functions, redactor)]));
}
