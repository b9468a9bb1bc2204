import { useRef, useState } from 'react';
import { Button } from './button.tsx';
import styles from './code-block.module.css';

/** Focusable because long text scrolls. */
export const CodeBlock = ({ text }: { readonly text: string }) => (
  <pre className={styles.box} tabIndex={0}>
    {text}
  </pre>
);

/** Fallback for pages without the clipboard API, which browsers offer only over TLS and on localhost. */
function copyWithExecCommand(text: string): boolean {
  const focused = document.activeElement;
  const area = document.createElement('textarea');
  area.value = text;
  area.className = 'sr-only';
  // Elements outside an open modal dialog cannot be selected.
  (focused?.closest('dialog') ?? document.body).append(area);
  area.select();
  const isCopied = document.execCommand('copy');
  area.remove();
  if (focused instanceof HTMLElement) focused.focus();
  return isCopied;
}

async function copyToClipboard(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyWithExecCommand(text);
  }
}

const MESSAGE_MS = 2000;

interface CopyButtonProps {
  readonly text: string;
  /** Names the copied text for screen readers. */
  readonly subject: string;
}

export function CopyButton({ text, subject }: CopyButtonProps) {
  const [message, setMessage] = useState('Copy');
  const onClick = async () => {
    setMessage((await copyToClipboard(text)) ? 'Copied' : 'Could not copy');
    setTimeout(() => setMessage('Copy'), MESSAGE_MS);
  };
  return (
    <Button size="small" variant="quiet" aria-label={`${message} ${subject}`} onClick={onClick}>
      {message}
    </Button>
  );
}

/** Selects the text if the page cannot write to the clipboard, so that the user can copy it with the keyboard. */
export function CopyableText({ label, text }: { readonly label: string; readonly text: string }) {
  const textRef = useRef<HTMLPreElement>(null);
  const [buttonText, setButtonText] = useState('Copy');

  const select = () => {
    if (textRef.current === null) return;
    getSelection()?.selectAllChildren(textRef.current);
    setButtonText('Selected. Press Ctrl+C to copy');
  };
  const onClick = async () => {
    if (await copyToClipboard(text)) setButtonText('Copied');
    else select();
  };

  return (
    <div className={styles.copy}>
      <pre ref={textRef} role="region" tabIndex={0} aria-label={label}>
        {text}
      </pre>
      <Button size="small" onClick={onClick}>
        <span aria-live="polite">{buttonText}</span>
        <span className="sr-only"> {label}</span>
      </Button>
    </div>
  );
}
