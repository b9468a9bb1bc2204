import { useEffect, useState } from 'react';
import { duration, timeOf } from '#client/times.ts';

const FORMAT = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });
const CLOCK = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' });

const SHORT_MS = 60_000;

/** The time, so often that words about it are true. */
export function useNowMs(everyMs = 1000): number {
  const [nowMs, setNowMs] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return nowMs;
}

interface WhenProps {
  /** A time of the service; empty or null: never. */
  readonly at: string | null;
  /** `ago`: how long that is; `clock`: only the time of the day. */
  readonly as?: 'full' | 'clock' | 'ago';
  readonly never?: string;
}

function Ago({ ms }: { readonly ms: number }) {
  const nowMs = useNowMs(1000);
  const passedMs = nowMs - ms;
  // In a minute or more nobody counts seconds.
  const words = passedMs > SHORT_MS ? duration(passedMs).split(' ')[0] : duration(passedMs);
  return passedMs < 0 ? `in ${duration(-passedMs).split(' ')[0]}` : `${words} ago`;
}

/** A time in the viewer's zone, with UTC on hover. */
export function When({ at, as = 'full', never = '–' }: WhenProps) {
  if (at === null || at === '') return <span>{never}</span>;
  const ms = timeOf(at);
  const local = as === 'clock' ? CLOCK.format(ms) : FORMAT.format(ms);
  const utc = `${at.slice(0, 19).replace('T', ' ')} UTC`;
  return (
    <time dateTime={`${at}Z`} title={as === 'full' ? utc : `${FORMAT.format(ms)} · ${utc}`}>
      {as === 'ago' ? <Ago ms={ms} /> : local}
    </time>
  );
}
