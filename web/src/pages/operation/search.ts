import { enumParam, stringParam } from '../../ui/format/search-param.ts';
import type { PhaseGroup } from './hosts/phase-groups.ts';
import { PHASE_GROUPS } from './hosts/phase-groups.ts';

export const HOST_VIEWS = ['grid', 'list', 'timeline'] as const;
export type HostView = (typeof HOST_VIEWS)[number];

/** The open host and the view of the hosts, stored in the URL. */
export interface OperationSearch {
  readonly host?: string;
  readonly view?: HostView;
  /** Highlights the hosts of this phase group. */
  readonly show?: PhaseGroup;
}

export function parseOperationSearch(search: Record<string, unknown>): OperationSearch {
  const host = stringParam(search, 'host');
  const view = enumParam(search, 'view', HOST_VIEWS);
  const show = enumParam(search, 'show', PHASE_GROUPS);
  return {
    ...(host !== undefined && { host }),
    ...(view !== undefined && { view }),
    ...(show !== undefined && { show }),
  };
}
