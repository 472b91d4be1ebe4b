import type { McpServer } from '#lib/activities';
import { checkValue, schemaProblem } from '#lib/json-schema';
import { InvalidSetting } from './defaults.js';
import { readSettingFile } from './read-setting-file.js';

const texts = { type: 'object', additionalProperties: { type: 'string' } };
const server = {
  oneOf: [
    {
      type: 'object',
      properties: {
        command: { type: 'string', minLength: 1 },
        args: { type: 'array', items: { type: 'string' } },
        env: texts,
      },
      required: ['command'],
    },
    {
      type: 'object',
      properties: { url: { type: 'string', pattern: '^https?://' }, headers: texts },
      required: ['url'],
    },
  ],
};
const file = {
  type: 'object',
  properties: { mcpServers: { type: 'object', additionalProperties: server } },
  required: ['mcpServers'],
};

/** The servers in a JSON file, in the form that MCP clients use. None without a file. @throws InvalidSetting */
export function readMcpServers(path: string | undefined): { readonly [name: string]: McpServer } {
  if (path === undefined) return {};
  const value = readSettingFile(path, invalid);
  const [first] = checkValue(file, value).errors.map(schemaProblem);
  if (first) throw invalid(`${first.path || 'its root'} in its file ${first.message}`);
  return (value as { mcpServers: { readonly [name: string]: McpServer } }).mcpServers;
}

/** Nothing of the file is in the message: it may hold secrets. */
function invalid(why: string): InvalidSetting {
  const fix = 'Write { "mcpServers": { "<name>": { "command" } or { "url" } } }, or unset the variable';
  return new InvalidSetting('REDIAL_MCP_SERVERS', why, fix);
}
