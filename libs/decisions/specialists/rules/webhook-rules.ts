import { isWebhookTokenName, WEBHOOK_TOKEN_FORM } from '#lib/workflow';
import type { RegistrationWithFunctions } from '../registration.js';
import type { Rule } from './rule.js';

const hasWebhook = (r: RegistrationWithFunctions) => webhookUrls(r).length > 0;

/** Checked first: the rules below need the name. */
export const TOKEN_NAMED: Rule = [
  (r) => hasWebhook(r) && r.webhookTokenName === undefined,
  'it has a webhook but no webhookTokenName',
  'Name the environment variable that holds the token, such as WEBHOOK_TOKEN',
];

/** The rules of a webhook, once its members are consistent. */
export const WEBHOOK_RULES: readonly Rule[] = [
  [
    (r) => webhookUrls(r).some((url) => !isHttp(url)),
    'its webhook is not an http or https URL',
    'Give a whole one, such as https://hooks.example/decide',
  ],
  [
    (r) => webhookUrls(r).some(holdsCredentials),
    'its webhook URL holds a user name or password, which would be stored and shown',
    'Take them out: the token of webhookTokenName is sent by Basic authentication',
  ],
  [
    (r) => hasWebhook(r) && !isWebhookTokenName(r.webhookTokenName ?? ''),
    'its webhookTokenName is not of the form of such names, and no other secret of the process is sent to a webhook',
    WEBHOOK_TOKEN_FORM,
  ],
];

function webhookUrls({ strategyWebhookUrl, contextWebhookUrl }: RegistrationWithFunctions): string[] {
  return [strategyWebhookUrl, contextWebhookUrl].filter((url) => url !== undefined);
}

function isHttp(url: string): boolean {
  return /^https?:\/\/\S+$/i.test(url) && URL.canParse(url);
}

function holdsCredentials(url: string): boolean {
  const { username, password } = new URL(url);
  return username !== '' || password !== '';
}
