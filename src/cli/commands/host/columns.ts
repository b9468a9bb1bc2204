import type { Static } from 'typebox';
import { sizeText } from '../../../client/size-text.ts';
import type { ListedHost } from '../../../contract/routes/hosts.ts';
import { statusStyle } from '../../output/status-style.ts';
import type { Column } from '../../output/table.ts';
import { ago } from '../../output/time-words.ts';

export const hostColumns = (nowMs: number): readonly Column<Static<typeof ListedHost>>[] => [
  { header: 'ADDRESS', of: ({ address }) => address },
  { header: 'STATUS', of: ({ status }) => status, style: ({ status }) => statusStyle(status) },
  { header: 'OS', of: ({ os }) => os },
  { header: 'CPUS', of: ({ cpus }) => (cpus === 0 ? '' : String(cpus)), isRight: true },
  { header: 'MEMORY', of: ({ memory }) => sizeText(memory), isRight: true },
  { header: 'DISK', of: ({ space }) => sizeText(space), isRight: true, isWide: true },
  { header: 'LAST CHECK', of: ({ last_check }) => ago(last_check, nowMs) },
];
