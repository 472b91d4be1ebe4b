import { useQuery } from '@tanstack/react-query';
import type { ConversationView } from '#lib/client';
import { turnsOf } from '../conversations/turns.js';
import { server } from '../data/server.js';
import { dollars } from '../parts/format.js';
import { Loading, Problem } from '../parts/notice.js';
import { Fact } from '../parts/page.js';
import { Status } from '../parts/status.js';
import { ComparedParts } from './compared-parts.js';
import type { Parts } from './run-parts.js';
import { SideHead } from './side-head.js';

/** Two conversations, turn by turn. */
export function ComparedConversations({ a, b }: { readonly a: string; readonly b: string }) {
  const [one, other] = [useConversation(a), useConversation(b)];
  const error = one.error ?? other.error;
  if (error) return <Problem error={error} />;
  if (!one.data || !other.data) return <Loading />;
  return (
    <ComparedParts a={partsOf(one.data)} b={partsOf(other.data)}>
      <Side name="a" conversation={one.data} />
      <Side name="b" conversation={other.data} />
    </ComparedParts>
  );
}

function useConversation(conversationId: string) {
  return useQuery({
    queryKey: ['conversations', conversationId],
    queryFn: () => server().getConversation({ conversationId }),
  });
}

function partsOf({ data, history }: ConversationView): Parts {
  const turns = turnsOf(history).map(
    ({ said }, index) =>
      [`Turn ${index + 1}`, Object.fromEntries(said.map(({ role, content }) => [role, content]))] as const,
  );
  return new Map<string, unknown>([['Data', data], ...turns]);
}

interface SideProps {
  readonly name: 'a' | 'b';
  readonly conversation: ConversationView;
}

function Side({ name, conversation }: SideProps) {
  const { conversationId, agentName, agentVersion, status, usage } = conversation;
  return (
    <SideHead
      name={name}
      kind="conversation"
      id={conversationId}
      about={`${agentName} version ${agentVersion}`}
    >
      <Status status={status} />
      <Fact name="Calls">{usage.calls}</Fact>
      <Fact name="Cost">{dollars(usage.costUSD)}</Fact>
    </SideHead>
  );
}
