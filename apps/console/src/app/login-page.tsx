import { useState } from 'react';
import { queryClient } from '../data/query-client.js';
import { isUnauthorized, server, token, wordsOf } from '../data/server.js';

/** Asks for a token until the server accepts one; then the requested page is shown. */
export function LoginPage() {
  const [problem, setProblem] = useState<string>();
  const [isTrying, setTrying] = useState(false);
  const logIn = async (given: string) => {
    setTrying(true);
    token.set(given);
    try {
      const principal = await server().getPrincipal();
      queryClient.removeQueries({ predicate: ({ queryKey: [first] }) => first !== 'principal' });
      queryClient.setQueryData(['principal'], principal);
    } catch (error) {
      token.clear();
      setProblem(isUnauthorized(error) ? 'The server does not know this token.' : wordsOf(error));
      setTrying(false);
    }
  };
  return (
    <main className="login">
      <form
        className="login-card"
        onSubmit={(event) => {
          event.preventDefault();
          const given = new FormData(event.currentTarget).get('token');
          if (typeof given === 'string') void logIn(given.trim());
        }}
      >
        <span aria-hidden="true" className="brand-mark" />
        <h1>Redial</h1>
        <p className="dim">This server asks for a token: its own, or that of a person.</p>
        <TokenField problem={problem} />
        <button type="submit" className="primary" disabled={isTrying}>
          Log in
        </button>
      </form>
    </main>
  );
}

function TokenField({ problem }: { readonly problem: string | undefined }) {
  return (
    <>
      <label htmlFor="token">Token</label>
      <input
        id="token"
        name="token"
        type="password"
        autoComplete="current-password"
        required
        autoFocus
        aria-invalid={problem !== undefined}
        aria-describedby={problem === undefined ? undefined : 'token-problem'}
      />
      {problem !== undefined && (
        <p id="token-problem" className="field-problem" role="alert">
          {problem}
        </p>
      )}
    </>
  );
}
