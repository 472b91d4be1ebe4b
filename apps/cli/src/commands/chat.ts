import { createInterface } from 'node:readline';
import type { TurnView } from '#lib/flows';
import { failureOf } from '../error-output.js';
import { chatLines } from '../format/conversations.js';
import type { GlobalOptions, MetaOptions, TokenOption } from '../input/options.js';
import { readJsonFile, readMeta } from '../input/read-json.js';
import { type Io, printJson, printLines, type Sink } from '../io.js';
import { type Call, withOperations } from '../operations/call-operation.js';
import { everyItem } from '../operations/every-item.js';

interface ChatOptions extends GlobalOptions, MetaOptions, TokenOption {
  readonly conversation?: string;
}

/** The agent's messages go to `out`, all other lines to `err`. A turn that fails does not end the chat. */
export async function chat(options: ChatOptions, io: Io, file: string): Promise<void> {
  const agent = await readJsonFile(file);
  const context = await readMeta(options);
  await withOperations('defineAgent', options, io, async (call) => {
    const { agentName, version: agentVersion } = await call('defineAgent', { agent });
    const start = { agentName, agentVersion, ...(context && { context }) };
    const conversationId = options.conversation ?? (await call('startConversation', start)).conversationId;
    printLines(io.err, [`conversation ${conversationId} with ${agentName} version ${agentVersion}`]);
    let waiting = options.conversation === undefined ? undefined : await openTurn(call, conversationId);
    if (waiting) show(io, options, waiting);
    // Not before: an interface loses the lines that come before its iteration begins.
    const typed = io.typed ?? createInterface({ input: process.stdin });
    for await (const line of typed) {
      const text = line.trim();
      if (text === '') continue;
      const turn = await (
        waiting
          ? answered(call, conversationId, waiting, text)
          : call('sendMessage', { conversationId, text })
      ).catch(async (error: unknown) => printLines(io.err, (await failureOf(error)).lines));
      if (turn) show(io, options, turn);
      // A line that failed may have been the answer to a question that is still open.
      const last = turn ?? (await openTurn(call, conversationId).catch(() => waiting));
      waiting = last?.status === 'waiting' ? last : undefined;
    }
  });
}

/** The waiting turn of a conversation, if there is one. */
async function openTurn(call: Call, conversationId: string): Promise<TurnView | undefined> {
  const turns = await everyItem((page) => call('listTurns', { conversationId, ...page }));
  return turns.findLast(({ status }) => status === 'waiting');
}

/** `y` approves the first call that waits; any other line refuses it. */
function answered(
  call: Call,
  conversationId: string,
  { awaiting = [] }: TurnView,
  text: string,
): Promise<TurnView> {
  const [{ signal: name, awaitId } = { signal: 'approval', awaitId: '' }] = awaiting;
  const payload = { approved: /^y(es)?$/i.test(text) };
  return call('signalTurn', { conversationId, name, awaitId, payload });
}

function show(io: Io, { json }: ChatOptions, turn: TurnView): void {
  if (json) return printJson(io, turn);
  printLines(io.err, chatLines(turn));
  if (turn.status === 'completed') io.out.write(`${messageOn(io.out, turn.message)}\n`);
}

/** On a terminal the further lines of a message are indented: none of them looks like a line of the command. */
function messageOn({ isTTY }: Sink, message: string): string {
  return isTTY ? message.replaceAll('\n', '\n  ') : message;
}
