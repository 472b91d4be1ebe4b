import { settingsFor } from '../engine/settings-for.js';
import { withReadModels } from '../engine/with-read-models.js';
import { inspectionLines } from '../format/inspection-lines.js';
import { paintFor } from '../format/paint.js';
import { sessionIdOf } from '../input/named-id.js';
import { inspectSession } from '../inspecting/inspect-session.js';
import { type Io, printLines } from '../io.js';
import type { InspectOptions } from './inspect.command.js';

export async function inspect(session: string, { dataDir, json, all = false }: InspectOptions, { out }: Io) {
  const sessionId = await sessionIdOf(session, dataDir);
  const inspection = await withReadModels(settingsFor(dataDir), (models) =>
    inspectSession(models, sessionId),
  );
  if (json) out.write(`${JSON.stringify(inspection)}\n`);
  else printLines(out, inspectionLines(inspection, all, paintFor(out)));
}
