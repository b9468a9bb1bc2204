import { useSyncExternalStore } from 'react';
import { timeOf, utcTime } from '#client/times.ts';
import { ticker } from './ticker.ts';
import { agoWords } from './words/ago-words.ts';
import { clockTime, fullTime } from './words/time-formats.ts';

const inSteps = (ms: number, stepMs: number) => Math.floor(ms / stepMs) * stepMs;

/** The time by the clock here, so often that words about it are true. */
export const useNowMs = (everyMs = 1000): number =>
  useSyncExternalStore(ticker.subscribe, () => inSteps(ticker.nowMs(), everyMs));

/** The time by the clock of the service: what its times are to be compared with. */
export const useServiceNowMs = (everyMs = 1000): number =>
  useSyncExternalStore(ticker.subscribe, () => inSteps(ticker.serviceNowMs(), everyMs));

interface WhenProps {
  /** A time of the service; empty or null: never. */
  readonly at: string | null;
  /** `ago`: how long that is; `clock`: only the time of the day. */
  readonly as?: 'full' | 'clock' | 'ago';
  readonly never?: string;
}

/** Drawn again only when its words change. */
const Ago = ({ ms }: { readonly ms: number }) =>
  useSyncExternalStore(ticker.subscribe, () => agoWords(ticker.serviceNowMs() - ms));

/** A time in the viewer's zone, with UTC on hover. */
export function When({ at, as = 'full', never = '–' }: WhenProps) {
  if (at === null || at === '') return <span>{never}</span>;
  const ms = timeOf(at);
  const local = as === 'clock' ? clockTime(ms) : fullTime(ms);
  const utc = utcTime(at);
  return (
    <time dateTime={`${at}Z`} title={as === 'full' ? utc : `${fullTime(ms)} · ${utc}`}>
      {as === 'ago' ? <Ago ms={ms} /> : local}
    </time>
  );
}
