import { useRef, useState } from 'react';
import { Button } from './button.tsx';
import { copy } from './copy.ts';
import styles from './copy-text.module.css';

interface CopyTextProps {
  /** What it is, for whoever hears it. */
  readonly label: string;
  readonly text: string;
}

/** Text to be taken elsewhere. Where a page may not write to the clipboard the text is selected, so that the keys can. */
export function CopyText({ label, text }: CopyTextProps) {
  const shown = useRef<HTMLPreElement>(null);
  const [word, setWord] = useState('Copy');

  const select = () => {
    if (shown.current === null) return;
    getSelection()?.selectAllChildren(shown.current);
    setWord('Selected. Press Ctrl+C to copy');
  };
  const press = async () => {
    if (await copy(text)) setWord('Copied');
    else select();
  };

  return (
    <div className={styles.copy}>
      <pre ref={shown} role="region" tabIndex={0} aria-label={label}>
        {text}
      </pre>
      <Button size="small" onClick={press}>
        <span aria-live="polite">{word}</span>
        <span className="heard"> {label}</span>
      </Button>
    </div>
  );
}
