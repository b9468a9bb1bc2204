import { useRef, useState } from 'react';
import { Button } from './button.tsx';
import styles from './code-block.module.css';

/** Text as it was written, lines and all. What is long scrolls, so keys have to reach it. */
export const CodeBlock = ({ text }: { readonly text: string }) => (
  <pre className={styles.box} tabIndex={0}>
    {text}
  </pre>
);

/** Browsers give the clipboard only to pages that came over TLS, or from this machine; elsewhere the old way is left. */
function copyWithExecCommand(text: string): boolean {
  const focused = document.activeElement;
  const area = document.createElement('textarea');
  area.value = text;
  area.className = 'sr-only';
  // What is beside an open dialog cannot be selected.
  (focused?.closest('dialog') ?? document.body).append(area);
  area.select();
  const isCopied = document.execCommand('copy');
  area.remove();
  if (focused instanceof HTMLElement) focused.focus();
  return isCopied;
}

/** Puts text into the clipboard; answers whether it is there. */
export async function copyToClipboard(text: string): Promise<boolean> {
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
  /** What is copied, for whoever hears it. */
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

interface CopyableTextProps {
  /** What it is, for whoever hears it. */
  readonly label: string;
  readonly text: string;
}

/** Text to be taken elsewhere. Where a page may not write to the clipboard the text is selected, so that the keys can. */
export function CopyableText({ label, text }: CopyableTextProps) {
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
