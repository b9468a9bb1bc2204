import { duration, timeOf } from '#client/times.ts';
import { useServiceNowMs } from '../ui/when.tsx';

function Ticking({ sinceMs }: { readonly sinceMs: number }) {
  return duration(useServiceNowMs() - sinceMs);
}

interface ElapsedProps {
  readonly startedAt: string;
  readonly finishedAt: string | null;
}

/** How long it takes, or has taken. */
export const Elapsed = ({ startedAt, finishedAt }: ElapsedProps) =>
  finishedAt === null ? (
    <Ticking sinceMs={timeOf(startedAt)} />
  ) : (
    duration(timeOf(finishedAt) - timeOf(startedAt))
  );
