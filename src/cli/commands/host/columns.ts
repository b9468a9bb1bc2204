import type { Static } from 'typebox';
import type { ListedHost } from '../../../contract/routes/hosts.ts';
import { statusStyle } from '../../output/status-style.ts';
import type { Column } from '../../output/table.ts';
import { ago } from '../../output/words.ts';

/** KiB in the largest unit that leaves at least one before the point. */
export function size(kib: number): string {
  if (kib === 0) return '';
  const units = ['KiB', 'MiB', 'GiB', 'TiB', 'PiB'];
  const power = Math.min(units.length - 1, Math.floor(Math.log2(kib) / 10));
  const value = kib / 1024 ** power;
  return `${value < 10 && power > 0 ? value.toFixed(1) : Math.round(value)} ${units[power]}`;
}

export const hostColumns = (nowMs: number): readonly Column<Static<typeof ListedHost>>[] => [
  { header: 'ADDRESS', of: ({ address }) => address },
  { header: 'STATUS', of: ({ status }) => status, style: ({ status }) => statusStyle(status) },
  { header: 'OS', of: ({ os }) => os },
  { header: 'CPUS', of: ({ cpus }) => (cpus === 0 ? '' : String(cpus)), isRight: true },
  { header: 'MEMORY', of: ({ memory }) => size(memory), isRight: true },
  { header: 'SPACE', of: ({ space }) => size(space), isRight: true, isWide: true },
  { header: 'CHECKED', of: ({ last_check }) => ago(last_check, nowMs) },
];
