import { useState } from 'react';
import { Button } from './button.tsx';

const SAID_MS = 2000;

/** Browsers give the clipboard only to pages that came over TLS, or from this machine; elsewhere the old way is left. */
async function copy(text: string): Promise<void> {
  if (navigator.clipboard !== undefined) return navigator.clipboard.writeText(text);
  const area = document.createElement('textarea');
  area.value = text;
  area.className = 'heard';
  document.body.append(area);
  area.select();
  const isCopied = document.execCommand('copy');
  area.remove();
  if (!isCopied) throw new Error('the browser does not give the clipboard');
}

interface CopyButtonProps {
  readonly text: string;
  /** What is copied, for whoever hears it. */
  readonly what: string;
}

export function CopyButton({ text, what }: CopyButtonProps) {
  const [said, setSaid] = useState('Copy');
  const say = (word: string) => {
    setSaid(word);
    setTimeout(() => setSaid('Copy'), SAID_MS);
  };
  return (
    <Button
      size="small"
      kind="quiet"
      aria-label={`${said} ${what}`}
      onClick={() =>
        copy(text).then(
          () => say('Copied'),
          () => say('Not copied'),
        )
      }
    >
      {said}
    </Button>
  );
}
