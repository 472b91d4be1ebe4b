import { queryClient } from '../data/query-client.js';
import { usePrincipal } from '../data/principal.js';
import { token } from '../data/server.js';

/** The person, or the role of the token; nothing on a server that asks for no token. */
export function WhoAmI() {
  const { data } = usePrincipal();
  if (!data || token.get() === undefined) return null;
  const logOut = () => {
    token.clear();
    void queryClient.resetQueries({ queryKey: ['principal'] });
  };
  return (
    <span className="who">
      <span className="dim">{data.personId ?? data.role}</span>
      <button type="button" className="quiet-button" onClick={logOut}>
        Log out
      </button>
    </span>
  );
}
