import type { Tone } from '#client/tone.ts';
import styles from './proportion-bar.module.css';
import { numberText } from './words/counted.ts';

/** How far hosts of an operation are, each in its colour. */
type Phase = 'done' | 'failed' | 'skipped' | 'in_flight' | 'preparing' | 'waiting';

export interface Part {
  /** What it is a part of: `active`. */
  readonly name: string;
  readonly count: number;
  readonly tone: Tone | Phase;
}

interface ProportionBarProps {
  /** What it is a bar of, for whoever hears it. */
  readonly label: string;
  readonly parts: readonly Part[];
  /** Left out: of all parts together. */
  readonly total?: number;
  readonly size?: 'usual' | 'large';
}

const sumOf = (parts: readonly Part[]) => parts.reduce((sum, { count }) => sum + count, 0);

/** Parts of a whole side by side. However small a part is, it is seen. Beside it must be words: colours alone tell nothing. */
export function ProportionBar({ label, parts, total = sumOf(parts), size = 'usual' }: ProportionBarProps) {
  const shown = parts.filter(({ count }) => count > 0);
  const rest = Math.max(0, total - sumOf(parts));
  const words = shown.map(({ name, count }) => `${numberText(count)} ${name}`).join(', ');
  return (
    <div className={`${styles.bar} ${styles[size]}`} role="img" aria-label={`${label}: ${words || 'none'}`}>
      {shown.map(({ name, count, tone }) => (
        <span
          key={name}
          className={styles[tone]}
          style={{ flexGrow: count }}
          title={`${numberText(count)} ${name}`}
        />
      ))}
      {(rest > 0 || total === 0) && <span style={{ flexGrow: rest || 1 }} />}
    </div>
  );
}
