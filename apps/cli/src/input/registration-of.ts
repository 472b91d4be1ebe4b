import type { SpecialistRegistration } from '#lib/specialist';

/** A registration as the options of a command line say it. */
export interface RegistrationOptions {
  readonly machine: string;
  readonly role: 'proposer' | 'arbiter';
  readonly human?: true;
  readonly model?: string;
  readonly template?: string;
  readonly strategy?: string;
  readonly strategyWebhook?: string;
  readonly contextWebhook?: string;
  readonly webhookTokenName?: string;
  readonly threshold?: number;
  readonly disabled?: true;
  readonly keepAlignment?: true;
}

/** The registration itself, in the words of the log; whether it breaks a rule is for the engine to say. */
export function registrationOf(specialistId: string, options: RegistrationOptions): SpecialistRegistration {
  const { machine, role, human, model, template, strategy, strategyWebhook, contextWebhook } = options;
  const { webhookTokenName, threshold, disabled, keepAlignment } = options;
  return {
    specialistId,
    machineName: machine,
    role,
    ...(human && { isHuman: true }),
    ...(model !== undefined && { modelId: model }),
    ...(template !== undefined && { contextTemplate: template }),
    ...(strategy !== undefined && { strategyFnName: strategy }),
    ...(strategyWebhook !== undefined && { strategyWebhookUrl: strategyWebhook }),
    ...(contextWebhook !== undefined && { contextWebhookUrl: contextWebhook }),
    ...(webhookTokenName !== undefined && { webhookTokenName }),
    ...(threshold !== undefined && { threshold }),
    ...(disabled && { disabled }),
    ...(keepAlignment && { keepAlignment }),
  };
}
