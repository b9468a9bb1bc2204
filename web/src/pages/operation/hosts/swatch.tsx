import type { Paint } from './host-paint.ts';
import { SIGNS } from './host-paint.ts';
import styles from './paint.module.css';

/** The colour and the sign of how far a host is; the word stands beside it. */
export const Swatch = ({ of }: { readonly of: Paint }) => (
  <span
    className={`${styles.painted} ${styles.swatch}`}
    data-paint={of}
    data-sign={SIGNS[of]}
    aria-hidden="true"
  />
);
