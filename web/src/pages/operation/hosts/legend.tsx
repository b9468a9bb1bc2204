import { numberText } from '../../../ui/words/counted.ts';
import type { Paint } from './host-paint.ts';
import { PAINTS } from './host-paint.ts';
import styles from './legend.module.css';
import { Swatch } from './swatch.tsx';

interface LegendProps {
  readonly counts: Readonly<Record<Paint, number>>;
  readonly show: Paint | undefined;
  readonly onShow: (show: Paint | undefined) => void;
}

/** The phases that have the colour. */
const LABELS: Readonly<Record<Paint, string>> = {
  waiting: 'Pending',
  preparing: 'Preflight, staging',
  draining: 'Cordoning, draining',
  applying: 'Applying',
  rebooting: 'Rebooting',
  verifying: 'Verifying, uncordoning',
  unreachable: 'Unreachable',
  done: 'Done',
  failed: 'Failed',
  skipped: 'Skipped',
};

/** What each colour means, and how many are so far; a press has these stand out. */
export const Legend = ({ counts, show, onShow }: LegendProps) => (
  <div className={styles.legend} role="group" aria-label="Filter hosts by phase">
    {PAINTS.map(paint => (
      <button
        key={paint}
        type="button"
        className={`${styles.entry} ${counts[paint] === 0 ? styles.none : ''}`}
        aria-pressed={show === paint}
        onClick={() => onShow(show === paint ? undefined : paint)}
      >
        <Swatch of={paint} />
        {LABELS[paint]} <strong>{numberText(counts[paint])}</strong>
      </button>
    ))}
  </div>
);
