import type { Messages } from '#lib/solicitation';

export function chatMessages(systemMessage: string, userMessage: string): Messages {
  return [
    { role: 'system', content: systemMessage },
    { role: 'user', content: userMessage },
  ];
}
