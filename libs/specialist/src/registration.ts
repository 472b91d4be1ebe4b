/** How a specialist is registered: the body of `POST /v1/specialists`. */
export interface SpecialistRegistration {
  readonly role: 'proposer' | 'arbiter';
  readonly specialistId: string;
  readonly machineName: string;
  readonly isHuman?: boolean;
  readonly strategyFnName?: string;
  readonly strategyWebhookUrl?: string;
  readonly contextFnName?: string;
  readonly contextTemplate?: string;
  readonly contextWebhookUrl?: string;
  readonly modelId?: string;
  readonly webhookTokenName?: string;
  readonly threshold?: number;
}
