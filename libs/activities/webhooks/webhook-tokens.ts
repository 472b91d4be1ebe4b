import { isWebhookTokenName, WEBHOOK_TOKEN_FORM } from '#lib/workflow';

/** A call names a variable whose name does not have the form of a token's. No request was sent. */
export class TokenNameRefused extends Error {
  override readonly name = 'TokenNameRefused';

  constructor(name: string) {
    super(`The variable "${name}" is not sent to a webhook. ${WEBHOOK_TOKEN_FORM}.`);
  }
}

/** The tokens of webhooks among the variables of a process. No other variable can be read here, even if a record names it. */
export class WebhookTokens {
  readonly #variables: { readonly [name: string]: string | undefined };

  /** @param variables read at every call */
  constructor(variables: { readonly [name: string]: string | undefined } = {}) {
    this.#variables = variables;
  }

  /** The values of all that are set now. */
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
