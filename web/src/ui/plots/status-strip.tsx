// Which status something had when: spans of colour along a time axis, and the same as a table for whoever does not see colours.

import { duration } from '#client/times.ts';
import type { StatusWord } from '#client/tone.ts';

import tones from '../tone.module.css';
import { statusLabel } from '../words/status-words.ts';
import { fullTime } from '../words/time-formats.ts';
import { spanLook } from './span-look.ts';
import styles from './status-strip.module.css';
import { TimeAxis } from './time-axis.tsx';

export interface StatusSpan {
  /** In milliseconds since 1970, as `to`. */
  readonly from: number;
  readonly to: number;
  readonly word: StatusWord;
}

interface StatusStripProps {
  readonly spans: readonly StatusSpan[];
  readonly fromMs: number;
  readonly toMs: number;
  /** What it is the status of. */
  readonly label: string;
}

const percent = (part: number) => `${(part * 100).toFixed(3)}%`;
const MOST_ROWS = 100;

function SpanTable({ spans, label }: Pick<StatusStripProps, 'spans' | 'label'>) {
  const newest = spans.toReversed().slice(0, MOST_ROWS);
  return (
    <details className={styles.details}>
      <summary>View as table</summary>
      <div className={styles.scroll} role="region" aria-label={`${label} as a table`} tabIndex={0}>
        <table>
          <caption className="heard">{label}, newest first</caption>
          <thead>
            <tr>
              <th scope="col">Status</th>
              <th scope="col">Since</th>
              <th scope="col">Duration</th>
            </tr>
          </thead>
          <tbody>
            {newest.map(({ from, to, word }) => (
              <tr key={from}>
                <th scope="row">{statusLabel(word)}</th>
                <td>{fullTime(from)}</td>
                <td>{duration(to - from)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}

export function StatusStrip({ spans, fromMs, toMs, label }: StatusStripProps) {
  const length = Math.max(1, toMs - fromMs);
  const seen = spans.filter(({ from, to }) => to > fromMs && from < toMs);
  const words = [...new Set(seen.map(({ word }) => word))];
  return (
    <figure className={styles.figure}>
      <div className={styles.strip} role="img" aria-label={`${label}: ${words.map(statusLabel).join(', ')}`}>
        {seen.map(({ from, to, word }) => {
          const [start, end] = [Math.max(from, fromMs), Math.min(to, toMs)];
          return (
            <span
              key={from}
              className={`${styles.span} ${tones.tone}`}
              {...spanLook(word)}
              style={{ left: percent((start - fromMs) / length), width: percent((end - start) / length) }}
              title={`${statusLabel(word)} for ${duration(to - from)}, since ${fullTime(from)}`}
            />
          );
        })}
      </div>
      <TimeAxis fromMs={fromMs} toMs={toMs} />
      <ul className={styles.legend} aria-hidden="true">
        {words.map(word => (
          <li key={word} className={tones.tone} {...spanLook(word)}>
            {statusLabel(word)}
          </li>
        ))}
      </ul>
      <SpanTable spans={seen} label={label} />
    </figure>
  );
}
