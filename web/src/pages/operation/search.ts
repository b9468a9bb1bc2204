import { enumParam, searchParser, stringParam } from '../../ui/format/search-param.ts';
import { DISPLAY_GROUPS } from './hosts/phase-groups.ts';

const HOST_VIEWS = ['grid', 'list', 'timeline'] as const;
export type HostView = (typeof HOST_VIEWS)[number];

export const parseOperationSearch = searchParser({
  /** The open host. */
  host: stringParam,
  view: enumParam(HOST_VIEWS),
  /** Highlights the hosts of this phase group. */
  show: enumParam(DISPLAY_GROUPS),
});
export type OperationSearch = ReturnType<typeof parseOperationSearch>;
