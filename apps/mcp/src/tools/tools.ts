import type { Tool } from '../tool.js';
import { decisionTools } from './decision-tools.js';
import { lookingTools } from './looking-tools.js';
import { sessionTools } from './session-tools.js';

/** Everything that can be done and seen over MCP. */
export const tools: readonly Tool[] = [...sessionTools, ...decisionTools, ...lookingTools];
