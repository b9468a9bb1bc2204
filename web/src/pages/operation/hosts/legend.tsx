import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { HostProgress } from '#sdk/host-progress.ts';
import { displayName, isNotStarted } from '#sdk/host-progress.ts';
import { formatNumber } from '../../../ui/format/text.ts';
import { Badge, StatusBadge } from '../../../ui/status-badge.tsx';
import styles from './phase-groups.module.css';
import type { DisplayGroup } from './phase-groups.ts';
import { DISPLAY_GROUPS, displayGroupOf, PHASE_ICONS } from './phase-groups.ts';
import type { PhaseSpan } from './phase-spans.ts';

/** Hidden from screen readers: the text next to it names the phase. */
export const PhaseIcon = ({ group }: { readonly group: DisplayGroup }) => (
  <span
    className={`${styles.phase} ${styles.icon}`}
    data-phase-group={group}
    data-icon={PHASE_ICONS[group]}
    aria-hidden="true"
  />
);

interface HostStateBadgeProps {
  readonly host: HostProgress;
  readonly hasEnded: boolean;
}

export const HostStateBadge = ({ host, hasEnded }: HostStateBadgeProps) =>
  isNotStarted(host, hasEnded) ? <Badge severity="idle">Not started</Badge> : <StatusBadge status={host.state} />;

interface PhaseBarProps {
  readonly span: PhaseSpan;
  readonly className: string | undefined;
  /** Start and length of the time axis. */
  readonly fromMs: number;
  readonly rangeMs: number;
}

export const PhaseBar = ({ span, className, fromMs, rangeMs }: PhaseBarProps) => (
  <span
    className={`${styles.phase} ${className}`}
    data-phase-group={displayGroupOf(span.phase)}
    style={{
      left: `${((span.fromMs - fromMs) / rangeMs) * 100}%`,
      width: `${((span.toMs - span.fromMs) / rangeMs) * 100}%`,
    }}
  />
);

interface OpenHostLinkProps {
  readonly id: string;
  readonly host: Pick<HostProgress, 'address' | 'hostname'>;
  readonly className?: string | undefined;
  readonly children?: ReactNode;
}

/** Opens the drawer of a host. */
export const OpenHostLink = ({ id, host, className, children = displayName(host) }: OpenHostLinkProps) => (
  <Link
    to="/operations/$id"
    params={{ id }}
    search={previous => ({ ...previous, host: host.address })}
    replace
    title={host.address}
    className={className}
  >
    {children}
  </Link>
);

interface LegendProps {
  readonly counts: Readonly<Record<DisplayGroup, number>>;
  readonly hasEnded: boolean;
  readonly selected: DisplayGroup | undefined;
  readonly onSelect: (selected: DisplayGroup | undefined) => void;
}

const GROUP_LABELS: Readonly<Record<DisplayGroup, string>> = {
  pending: 'Pending',
  preparing: 'Preflight, staging',
  queued: 'Queued',
  draining: 'Cordoning, draining',
  applying: 'Applying',
  rebooting: 'Rebooting',
  verifying: 'Verifying, uncordoning',
  unreachable: 'Unreachable',
  done: 'Done',
  failed: 'Failed',
  skipped: 'Skipped',
};

/** Lists only groups with hosts. The selected group stays, so that the user can select all hosts again. */
export const Legend = ({ counts, hasEnded, selected, onSelect }: LegendProps) => (
  <div className={styles.legend} role="group" aria-label="Filter hosts by phase">
    {DISPLAY_GROUPS.filter(group => counts[group] > 0 || group === selected).map(group => (
      <button
        key={group}
        type="button"
        className={styles.entry}
        aria-pressed={selected === group}
        onClick={() => onSelect(selected === group ? undefined : group)}
      >
        <PhaseIcon group={group} />
        {group === 'pending' && hasEnded ? 'Not started' : GROUP_LABELS[group]}{' '}
        <strong>{formatNumber(counts[group])}</strong>
      </button>
    ))}
  </div>
);
