import { isWebhookTokenName, WEBHOOK_TOKEN_FORM } from '#lib/workflow';

/** A call names a variable that is not of the form of such names. Nothing was sent. */
export class TokenNameRefused extends Error {
  override readonly name = 'TokenNameRefused';

  constructor(name: string) {
    super(`The variable "${name}" is not sent to a webhook. ${WEBHOOK_TOKEN_FORM}.`);
  }
}

/** The tokens of webhooks among the variables of a process. No other variable can be read here, whatever a record names. */
export class WebhookTokens {
  readonly #variables: { readonly [name: string]: string | undefined };

  /** @param variables read at every call */
  constructor(variables: { readonly [name: string]: string | undefined } = {}) {
    this.#variables = variables;
  }

  /** All that are set now. */
  get values(): readonly string[] {
    return Object.entries(this.#variables).flatMap(([name, value = '']) =>
      isWebhookTokenName(name) ? [value] : [],
    );
  }

  /** The value; empty if the variable is not set. @throws TokenNameRefused */
  named(name: string): string {
    if (!isWebhookTokenName(name)) throw new TokenNameRefused(name);
    return this.#variables[name] ?? '';
  }
}
