import type { HostState, OperationAction } from '#vocabulary';

/** What may be asked of an operation about one of its hosts: only what it can do now, and what changes something for the host. */
export const hostVerbs = (state: HostState, can: readonly OperationAction[]): readonly OperationAction[] =>
  can.filter(
    verb =>
      (verb === 'retry' && state === 'failed') ||
      (verb === 'skip' && state !== 'done' && state !== 'skipped'),
  );
