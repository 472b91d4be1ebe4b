import { ScriptedServer, type ServerScript } from './scripted-server.js';

/** A webhook that answers by a script. */
export class ScriptedWebhookServer extends ScriptedServer {
  /** Listens on a free port. */
  static start(script: ServerScript = []): Promise<ScriptedWebhookServer> {
    return new ScriptedWebhookServer(script, '/hook').listening();
  }

  /** A loopback address, which is refused unless private addresses are allowed. */
  get url(): string {
    return `http://127.0.0.1:${this.port}/hook`;
  }
}
