import { useSyncExternalStore } from 'react';
import { parseWireTime, utcTime } from '#sdk/format.ts';
import { clockTime, formatRelative, fullTime, shortTime } from './format/dates.ts';
import { ticker } from './ticker.ts';

const roundDown = (ms: number, stepMs: number) => Math.floor(ms / stepMs) * stepMs;

export const useNowMs = (intervalMs = 1000): number =>
  useSyncExternalStore(ticker.subscribe, () => roundDown(ticker.nowMs(), intervalMs));

/** For comparison with times of the server. */
export const useServerNowMs = (intervalMs = 1000): number =>
  useSyncExternalStore(ticker.subscribe, () => roundDown(ticker.serverNowMs(), intervalMs));

interface TimestampProps {
  /** A time from the API. Empty or null means never. */
  readonly at: string | null;
  /** `relative`: `5m ago`. `time`: only the time of day. `short`: without year and zone. */
  readonly format?: 'full' | 'time' | 'short' | 'relative';
  readonly emptyText?: string;
}

const LOCAL_FORMATS = { full: fullTime, time: clockTime, short: shortTime, relative: fullTime } as const;

/** Renders again only when its text changes. */
const RelativeTime = ({ ms }: { readonly ms: number }) =>
  useSyncExternalStore(ticker.subscribe, () => formatRelative(ticker.serverNowMs() - ms));

/** A time in the time zone of the browser, with UTC in the tooltip. */
export function Timestamp({ at, format = 'full', emptyText = '–' }: TimestampProps) {
  if (at === null || at === '') return <span>{emptyText}</span>;
  const ms = parseWireTime(at);
  const local = LOCAL_FORMATS[format](ms);
  const utc = utcTime(at);
  return (
    <time dateTime={`${at}Z`} title={format === 'full' ? utc : `${fullTime(ms)} · ${utc}`}>
      {format === 'relative' ? <RelativeTime ms={ms} /> : local}
    </time>
  );
}
