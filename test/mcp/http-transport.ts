import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';

/** Streamable HTTP as the protocol says, for answers in JSON: the SDK's own client does not load inside jest. */
export class HttpTransport implements Transport {
  onmessage?: (message: JSONRPCMessage) => void;
  onclose?: () => void;
  private version: string | undefined;

  constructor(
    private readonly url: string,
    private readonly headers: Readonly<Record<string, string>> = {},
  ) {}

  async start(): Promise<void> {}

  setProtocolVersion(version: string): void {
    this.version = version;
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const response = await fetch(this.url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...(this.version !== undefined && { 'mcp-protocol-version': this.version }),
        ...this.headers,
      },
      body: JSON.stringify(message),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`HTTP ${response.status}: ${text}`);
    if (text !== '') this.onmessage?.(JSON.parse(text) as JSONRPCMessage);
  }

  async close(): Promise<void> {
    this.onclose?.();
  }
}
