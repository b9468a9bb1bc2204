import type { ReactNode } from 'react';
import type { Tone } from '#client/tone.ts';
import styles from './callout.module.css';
import tones from './tone.module.css';

interface CalloutProps {
  readonly tone: Tone;
  /** `alert`: it is told at once to whoever hears the page. */
  readonly role?: 'alert' | 'status';
  readonly children: ReactNode;
}

/** Something that must not be overlooked. */
export const Callout = ({ tone, role, children }: CalloutProps) => (
  <div role={role} className={`${styles.callout} ${tones.tone}`} data-tone={tone}>
    {children}
  </div>
);
