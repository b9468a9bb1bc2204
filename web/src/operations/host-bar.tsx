import type { HostCounts } from '#client/operation-progress.ts';
import { ProportionBar } from '../ui/proportion-bar.tsx';
import { hostParts } from './host-counts.ts';

interface HostBarProps {
  readonly counts: HostCounts;
  readonly size?: 'usual' | 'large';
}

/** How far an operation is, as a bar of its hosts. */
export const HostBar = ({ counts, size = 'usual' }: HostBarProps) => (
  <ProportionBar label="Host progress" parts={hostParts(counts)} size={size} />
);
