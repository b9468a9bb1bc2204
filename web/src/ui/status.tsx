import type { StatusWord, Tone } from '#client/tone.ts';
import { toneOf } from '#client/tone.ts';
import styles from './status.module.css';
import tones from './tone.module.css';
import { statusLabel } from './words/status-words.ts';

/** Not only colours tell tones apart. */
export const SIGNS: Readonly<Record<Tone, string>> = { good: '●', busy: '◐', warn: '▲', bad: '✕', idle: '○' };

export function Badge({ tone, children }: { readonly tone: Tone; readonly children: string }) {
  return (
    <span className={`${styles.badge} ${tones.tone}`} data-tone={tone}>
      <span aria-hidden="true" className={styles.sign}>
        {SIGNS[tone]}
      </span>
      {children}
    </span>
  );
}

/** A status of anything, in its colour. */
export const Status = ({ of }: { readonly of: StatusWord }) => (
  <Badge tone={toneOf(of)}>{statusLabel(of)}</Badge>
);
