import type { ProposerFunctions } from '#lib/activities';
import { isRejection, RedialError, reject, type Rejection } from '#lib/kernel';
import { parseModelId, templateProblem } from '#lib/solicitation';
import {
  arbiterMode,
  type ProposerExecution,
  proposerExecution,
  type SpecialistRegistration,
} from '#lib/specialist';

/** What must hold of a registration in this process, besides the rules of its own: its names mean something, its texts can be read. */
export class RegistrationChecks {
  constructor(private readonly functions: ProposerFunctions) {}

  refusal(registration: SpecialistRegistration): Rejection | undefined {
    const mode =
      registration.role === 'arbiter' ? arbiterMode(registration) : proposerExecution(registration);
    if (isRejection(mode)) return mode;
    return registration.role === 'arbiter' || mode === undefined
      ? undefined
      : this.executionRefusal(registration, mode);
  }

  private executionRefusal(
    { specialistId }: SpecialistRegistration,
    mode: ProposerExecution,
  ): Rejection | undefined {
    const why = this.problem(mode);
    return why === undefined
      ? undefined
      : reject('refused', 'invalid-specialist', {
          errorClass: 'InvalidSpecialist',
          what: `proposer ${specialistId}`,
          why,
          fix: 'Mend the registration and send it again',
        });
  }

  private problem(mode: ProposerExecution): string | undefined {
    const { strategyNames, contextNames } = this.functions;
    if ('strategyFnName' in mode) return unlisted('strategyFnName', mode.strategyFnName, strategyNames);
    const context =
      'contextFnName' in mode
        ? unlisted('contextFnName', mode.contextFnName, contextNames)
        : templateProblem(mode.contextTemplate)?.message;
    return context ?? modelIdProblem(mode.modelId);
  }
}

function unlisted(member: string, name: string, known: readonly string[]): string | undefined {
  if (known.includes(name)) return undefined;
  return `${member} "${name}" is not registered in this process; registered are ${known.join(', ') || 'none'}`;
}

function modelIdProblem(modelId: string): string | undefined {
  try {
    parseModelId(modelId);
    return undefined;
  } catch (error) {
    if (error instanceof RedialError) return error.message;
    throw error;
  }
}
