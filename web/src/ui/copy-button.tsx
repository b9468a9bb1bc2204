import { useState } from 'react';
import { Button } from './button.tsx';
import { copy } from './copy.ts';

const SAID_MS = 2000;

interface CopyButtonProps {
  readonly text: string;
  /** What is copied, for whoever hears it. */
  readonly what: string;
}

export function CopyButton({ text, what }: CopyButtonProps) {
  const [said, setSaid] = useState('Copy');
  const press = async () => {
    setSaid((await copy(text)) ? 'Copied' : 'Could not copy');
    setTimeout(() => setSaid('Copy'), SAID_MS);
  };
  return (
    <Button size="small" kind="quiet" aria-label={`${said} ${what}`} onClick={press}>
      {said}
    </Button>
  );
}
