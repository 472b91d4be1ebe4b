import type { Place } from './script.js';

/**
 * The tool or model that a workflow names in `uses`.
 * @param found as the start of the run holds it
 * @param does the verb for the script's use: `calls the tool`
 * @throws WorkflowBug if the workflow does not name it
 */
export function used<One>(place: Place, found: One | undefined, does: string, id: string): One {
  const kind = does.endsWith('tool') ? 'tools' : 'models';
  const fix = `Name it in \`uses\`, as one of \`${kind}\``;
  return found ?? place.broken(`it ${does} ${JSON.stringify(id)}`, fix);
}
