import { ScriptedServer, type ServerScript } from './scripted-server.js';

/** A server that answers `/v1/chat/completions` by a script. */
export class ScriptedLlmServer extends ScriptedServer {
  /** Listens on a free port. */
  static start(script: ServerScript = []): Promise<ScriptedLlmServer> {
    return new ScriptedLlmServer(script, '/v1/chat/completions').listening();
  }

  /** For `OPENAI_BASE_URL`. */
  get baseUrl(): string {
    return `http://127.0.0.1:${this.port}/v1`;
  }
}
