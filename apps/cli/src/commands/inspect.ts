import { settingsFor } from '../engine/settings-for.js';
import { withReadModels } from '../engine/with-read-models.js';
import { conversationLines } from '../format/conversation-lines.js';
import { inspectionLines } from '../format/inspection-lines.js';
import { paintFor } from '../format/paint.js';
import { sessionIdOf } from '../input/named-id.js';
import { inspectConversation } from '../inspecting/inspect-conversation.js';
import { inspectSession } from '../inspecting/inspect-session.js';
import { type Io, printLines } from '../io.js';
import type { InspectOptions } from './hand-written-commands.js';

export async function inspect(named: string, { dataDir, json, all = false }: InspectOptions, { out }: Io) {
  const id = await sessionIdOf(named, dataDir);
  const inspection = await withReadModels(
    settingsFor(dataDir),
    async (models) => (await inspectConversation(models.log, id)) ?? (await inspectSession(models, id)),
  );
  if (json) out.write(`${JSON.stringify(inspection)}\n`);
  else if ('conversation' in inspection) printLines(out, conversationLines(inspection, paintFor(out)));
  else printLines(out, inspectionLines(inspection, all, paintFor(out)));
}
