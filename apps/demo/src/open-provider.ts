import { ScriptedLlmServer } from '#lib/activities/testing';
import type { RedialOptions } from '#lib/engine/core';
import { RECEPTION, receptionScript } from './reception.js';
import { otherScripts, script } from './scenarios.js';

/** The provider of the demo: scripted, or a real language model. */
export interface Provider {
  readonly description: string;
  readonly isScripted: boolean;
  /** Absent if the environment has it. */
  readonly llm?: RedialOptions['llm'];
  /** Other providers, by name; only scripted ones. */
  readonly providers?: RedialOptions['providers'];
  /** @throws Error when the script and the requests did not fit */
  close(): Promise<void>;
}

/** A live API if there is a key for it, else a scripted one on this machine. */
export async function openProvider(): Promise<Provider> {
  if (process.env['OPENAI_API_KEY']) {
    const url = process.env['OPENAI_BASE_URL'] || "OpenAI's API";
    return {
      description: `live, ${url} with your OPENAI_API_KEY: what they choose is theirs`,
      isScripted: false,
      close: async () => undefined,
    };
  }
  const server = await ScriptedLlmServer.start(script());
  const scripts = [...otherScripts(), [RECEPTION, receptionScript()] as const];
  const others = await Promise.all(
    scripts.map(async ([name, own]) => [name, await ScriptedLlmServer.start(own)] as const),
  );
  return {
    description: `scripted, an OpenAI-compatible server on loopback (${server.baseUrl}); set OPENAI_API_KEY for live ones`,
    isScripted: true,
    llm: { apiKey: 'sk-scripted-needs-no-key', baseUrl: server.baseUrl, maxAttempts: 3 },
    providers: Object.fromEntries(others.map(([name, { baseUrl }]) => [name, { baseUrl, maxAttempts: 1 }])),
    close: async () => {
      await Promise.all([server, ...others.map(([, other]) => other)].map((one) => one.close()));
    },
  };
}
