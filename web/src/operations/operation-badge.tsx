import { Link } from '@tanstack/react-router';
import { formatDuration, parseWireTime } from '#sdk/format.ts';
import type { HostCounts } from '#sdk/operation-progress.ts';
import { operationStateText } from '#sdk/operation-text.ts';
import { getOperationSeverity } from '#sdk/status-severity.ts';
import { capitalize } from '../ui/format/text.ts';
import { SegmentedBar } from '../ui/segmented-bar.tsx';
import { Badge } from '../ui/status-badge.tsx';
import { useServerNowMs } from '../ui/timestamp.tsx';
import type { Operation } from './operation-summary.ts';
import { operationTitle, progressSegments } from './operation-summary.ts';

interface OperationLinkProps {
  readonly operation: Operation;
  readonly className?: string | undefined;
}

export const OperationLink = ({ operation, className }: OperationLinkProps) => (
  <Link to="/operations/$id" params={{ id: operation.id }} className={className}>
    {operationTitle(operation)}
  </Link>
);

export const OperationBadge = ({ state, counts }: Pick<Operation, 'state' | 'counts'>) => (
  <Badge severity={getOperationSeverity(state, counts)}>{capitalize(operationStateText(state, counts))}</Badge>
);

interface HostProgressBarProps {
  readonly counts: HostCounts;
  /** The operation starts no more hosts. */
  readonly hasEnded?: boolean;
  readonly size?: 'medium' | 'large';
}

export const HostProgressBar = ({ counts, hasEnded = false, size = 'medium' }: HostProgressBarProps) => (
  <SegmentedBar label="Host progress" segments={progressSegments(counts, hasEnded)} size={size} />
);

function RunningDuration({ sinceMs }: { readonly sinceMs: number }) {
  return formatDuration(useServerNowMs() - sinceMs);
}

export const OperationDuration = ({ started_at, finished_at }: Pick<Operation, 'started_at' | 'finished_at'>) =>
  finished_at === null ? (
    <RunningDuration sinceMs={parseWireTime(started_at)} />
  ) : (
    formatDuration(parseWireTime(finished_at) - parseWireTime(started_at))
  );
