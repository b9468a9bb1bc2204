import type { Context, Contexts } from './contexts-file.ts';

/** What is told of a context: everything but the password. */
export interface ContextView {
  readonly name: string;
  readonly current: boolean;
  readonly servers: readonly string[];
  readonly user: string;
  readonly ca_file?: string;
}

export const viewContext = (
  name: string,
  { servers, user, caFile }: Context,
  isCurrent: boolean,
): ContextView => ({
  ...{ name, current: isCurrent, servers, user },
  ...(caFile !== undefined && { ca_file: caFile }),
});

export const viewContexts = ({ current, all }: Contexts): readonly ContextView[] =>
  Object.entries(all)
    .map(([name, context]) => viewContext(name, context, name === current))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
