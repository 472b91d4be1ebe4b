import { useState } from 'react';

const SHOWN_MS = 2_000;

/** Puts a text on the clipboard, and confirms it. */
export function CopyButton({ label, text }: { readonly label: string; readonly text: string }) {
  const [said, setSaid] = useState<string>();
  const copy = async () => {
    const isCopied = await copied(text);
    setSaid(isCopied ? 'Copied' : 'Not allowed here');
    setTimeout(() => setSaid(undefined), SHOWN_MS);
  };
  return (
    <>
      <button type="button" className="quiet-button" title={text} onClick={() => void copy()}>
        {label}
      </button>
      <span role="status" className={said ? 'said' : 'only-read'}>
        {said}
      </span>
    </>
  );
}

/** Browsers give a clipboard to safe origins alone: loopback is one, a host name without TLS is not. */
async function copied(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
