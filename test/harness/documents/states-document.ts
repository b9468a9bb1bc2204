// The life of a host, as docs/concepts/host-lifecycle.md has it.

import type { HostCause } from '../../../src/domain/hosts/host-status.ts';
import { HOST_CAUSES, statusAfter } from '../../../src/domain/hosts/host-status.ts';
import { recordNameOf } from '../../../src/domain/record-name.ts';
import type { HostStatus } from '../../../src/domain/vocabulary.ts';
import { HOST_STATUSES } from '../../../src/domain/vocabulary.ts';
import { code, table } from './markdown-table.ts';

const causes = Object.keys(HOST_CAUSES) as HostCause[];
const NOT_A_MEMBER = { cluster: null, containerManager: null, registeredWith: null };
const A_MEMBER = { ...NOT_A_MEMBER, cluster: recordNameOf('web') };

/** Where a cause leads to, whether the host is settled or not. */
const nextOf = (status: HostStatus, cause: HostCause): readonly HostStatus[] => [
  ...new Set([A_MEMBER, NOT_A_MEMBER].map(settlement => statusAfter(status, cause, settlement))),
];

function nextCell(status: HostStatus, cause: HostCause): string {
  const next = nextOf(status, cause);
  return next.length === 1 && next[0] === status ? '–' : next.map(code).join(' or ');
}

export const movesTable = () =>
  table(
    ['Cause', ...HOST_STATUSES.map(code)],
    causes.map(cause => [HOST_CAUSES[cause], ...HOST_STATUSES.map(status => nextCell(status, cause))]),
  );
