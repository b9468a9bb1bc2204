import { enumParam, stringParam } from '../../ui/format/search-param.ts';
import type { PhaseGroup } from './hosts/phase-groups.ts';
import { PHASE_GROUPS } from './hosts/phase-groups.ts';

/** How its hosts are shown. */
export const HOST_VIEWS = ['grid', 'list', 'timeline'] as const;
export type HostView = (typeof HOST_VIEWS)[number];

/** Which host of an operation is looked at, and how all of them are shown. */
export interface OperationSearch {
  readonly host?: string;
  readonly view?: HostView;
  /** Only those that are so far stand out. */
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
