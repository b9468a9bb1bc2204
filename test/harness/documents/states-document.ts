// The life of a host, as docs/concepts/host-lifecycle.md has it.

import type { StatusTrigger } from '../../../src/domain/hosts/host-status.ts';
import { nextStatus, STATUS_TRIGGERS } from '../../../src/domain/hosts/host-status.ts';
import { toRecordName } from '../../../src/domain/record-name.ts';
import type { HostStatus } from '../../../src/domain/vocabulary.ts';
import { HOST_STATUSES } from '../../../src/domain/vocabulary.ts';
import { code, table } from './markdown-table.ts';

const causes = Object.keys(STATUS_TRIGGERS) as StatusTrigger[];
const NOT_A_MEMBER = { cluster: null, containerManager: null, registeredWith: null };
const A_MEMBER = { ...NOT_A_MEMBER, cluster: toRecordName('web') };

/** Where a cause leads to, whether the host is settled or not. */
const nextOf = (status: HostStatus, cause: StatusTrigger): readonly HostStatus[] => [
  ...new Set([A_MEMBER, NOT_A_MEMBER].map(settlement => nextStatus(status, cause, settlement))),
];

function nextCell(status: HostStatus, cause: StatusTrigger): string {
  const next = nextOf(status, cause);
  return next.length === 1 && next[0] === status ? '–' : next.map(code).join(' or ');
}

export const movesTable = () =>
  table(
    ['Cause', ...HOST_STATUSES.map(code)],
    causes.map(cause => [STATUS_TRIGGERS[cause], ...HOST_STATUSES.map(status => nextCell(status, cause))]),
  );
