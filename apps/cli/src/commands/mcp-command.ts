import { Option } from 'commander';
import { profiles } from '../../../mcp/src/profiles.js';
import { repeated } from '../input/options.js';
import type { HandWritten } from './hand-written.js';

export const mcp: HandWritten = {
  words: 'mcp',
  summary: 'serve the tools of Redial to a model over MCP: on standard input and output, or over HTTP',
  options: [
    new Option('--http', 'streamable HTTP at /mcp (PORT, HOST, REDIAL_API_TOKEN) until a signal comes'),
    new Option(
      '--profile <profile>',
      'the rights of the model (REDIAL_MCP_PROFILE, else observe): read; take part in rounds that wait for no person; everything',
    ).choices(profiles),
    new Option(
      '--as <specialistId>',
      'a specialist in whose name the model may state proposals; may be given several times; default: none',
    ).argParser(repeated),
    new Option(
      '--tools <groups>',
      'groups of tools to list beside the default, with commas between them: sessions, runs, conversations, … or all',
    ),
    new Option(
      '--output-schemas',
      'list the schemas of answers; answers are structured, and are not shortened',
    ),
  ],
  more: 'On standard input and output REDIAL_ACTOR_TOKEN names the person who acts, and REDIAL_URL the server whose tools are served.',
  load: async () => (await import('./serve.js')).serveMcp,
};
