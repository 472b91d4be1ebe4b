import type { Tool } from '../tool.js';
import { decisionTools } from './decision-tools.js';
import { gateTools } from './gate-tools.js';
import { lookingTools } from './looking-tools.js';
import { monitoringTools } from './monitoring-tools.js';
import { sessionTools } from './session-tools.js';
import { specialistTools } from './specialist-tools.js';

/** Everything that can be done and seen over MCP. */
export const tools: readonly Tool[] = [
  ...specialistTools,
  ...sessionTools,
  ...decisionTools,
  ...gateTools,
  ...lookingTools,
  ...monitoringTools,
];
