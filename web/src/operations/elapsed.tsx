import { duration, timeOf } from '#client/times.ts';
import { useNowMs } from '../ui/when.tsx';

function Ticking({ sinceMs, aheadMs }: { readonly sinceMs: number; readonly aheadMs: number }) {
  return duration(useNowMs() + aheadMs - sinceMs);
}

interface ElapsedProps {
  readonly startedAt: string;
  readonly finishedAt: string | null;
  /** How far the clock of the service is ahead. */
  readonly aheadMs: number;
}

/** How long it takes, or has taken. */
export const Elapsed = ({ startedAt, finishedAt, aheadMs }: ElapsedProps) =>
  finishedAt === null ? (
    <Ticking sinceMs={timeOf(startedAt)} aheadMs={aheadMs} />
  ) : (
    duration(timeOf(finishedAt) - timeOf(startedAt))
  );
