import { useSyncExternalStore } from 'react';
import { parseWireTime, utcTime } from '#sdk/format.ts';
import { clockTime, formatRelative, fullTime } from './format/dates.ts';
import { ticker } from './ticker.ts';

const roundDown = (ms: number, stepMs: number) => Math.floor(ms / stepMs) * stepMs;

/** The time by the clock here, so often that words about it are true. */
export const useNowMs = (intervalMs = 1000): number =>
  useSyncExternalStore(ticker.subscribe, () => roundDown(ticker.nowMs(), intervalMs));

/** The time by the clock of the service: what its times are to be compared with. */
export const useServerNowMs = (intervalMs = 1000): number =>
  useSyncExternalStore(ticker.subscribe, () => roundDown(ticker.serverNowMs(), intervalMs));

interface TimestampProps {
  /** A time of the service; empty or null: never. */
  readonly at: string | null;
  /** `ago`: how long that is; `clock`: only the time of the day. */
  readonly format?: 'full' | 'clock' | 'ago';
  readonly emptyText?: string;
}

/** Drawn again only when its words change. */
const RelativeTime = ({ ms }: { readonly ms: number }) =>
  useSyncExternalStore(ticker.subscribe, () => formatRelative(ticker.serverNowMs() - ms));

/** A time in the viewer's zone, with UTC on hover. */
export function Timestamp({ at, format = 'full', emptyText = '–' }: TimestampProps) {
  if (at === null || at === '') return <span>{emptyText}</span>;
  const ms = parseWireTime(at);
  const local = format === 'clock' ? clockTime(ms) : fullTime(ms);
  const utc = utcTime(at);
  return (
    <time dateTime={`${at}Z`} title={format === 'full' ? utc : `${fullTime(ms)} · ${utc}`}>
      {format === 'ago' ? <RelativeTime ms={ms} /> : local}
    </time>
  );
}
