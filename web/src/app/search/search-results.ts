// The results of the search dialog. All functions are pure.

import type { Static } from 'typebox';
import type { RouteName } from '#contract/index.ts';
import type { HostEntry } from '#contract/routes/hosts.ts';
import { displayName } from '#sdk/host-progress.ts';
import { operationStateText } from '#sdk/operation-text.ts';
import type { OperationKind } from '#vocabulary';
import { matchesSearch } from '../../hosts/host-table.ts';
import { formatLabels } from '../../hosts/labels.ts';
import type { Operation } from '../../operations/operation-summary.ts';
import { operationTitle } from '../../operations/operation-summary.ts';
import { NAV_GROUPS } from '../navigation.ts';

/** An action that opens a dialog. */
export type SearchAction =
  | { readonly kind: 'enrol_hosts' | 'create_cluster' | 'show_shortcuts' }
  | { readonly kind: OperationKind; readonly cluster: string };

interface ResultTexts {
  readonly title: string;
  /** Shown next to the title. */
  readonly detail?: string | undefined;
}

export type SearchResult = ResultTexts & ({ readonly path: string } | { readonly action: SearchAction });

export interface ResultGroup {
  readonly title: string;
  readonly results: readonly SearchResult[];
}

export interface SearchSources {
  readonly can: (route: RouteName) => boolean;
  readonly clusters: readonly string[];
  /** Newest first. */
  readonly operations: readonly Operation[];
  /** The server has searched them for one word of the text. */
  readonly hosts: readonly Static<typeof HostEntry>[];
}

/** An empty query lists all pages. */
const MAX_PER_GROUP = 12;
const MAX_SHOWN_HOSTS = 5;
/** Not all of them match all words. */
export const MAX_FETCHED_HOSTS = 100;

const ACTIONS: readonly { readonly title: string; readonly action: SearchAction; readonly requires?: RouteName }[] = [
  { title: 'Enrol hosts', action: { kind: 'enrol_hosts' }, requires: 'putHost' },
  { title: 'Create cluster', action: { kind: 'create_cluster' }, requires: 'putCluster' },
  { title: 'Show keyboard shortcuts', action: { kind: 'show_shortcuts' } },
];

const OPERATIONS: readonly (readonly [OperationKind, title: string])[] = [
  ['restart', 'Restart'],
  ['upgrade', 'Upgrade'],
  ['deploy', 'Deploy to'],
];

const listActions = ({ can, clusters }: SearchSources, query: string): readonly SearchResult[] => [
  ...ACTIONS.filter(({ requires }) => requires === undefined || can(requires)),
  ...(query === '' || !can('putRestart') ? [] : clusters).flatMap(cluster =>
    OPERATIONS.map(([kind, title]) => ({ title: `${title} ${cluster}`, action: { kind, cluster } })),
  ),
];

const listPages = ({ can }: SearchSources): readonly SearchResult[] => [
  ...NAV_GROUPS.flatMap(({ items }) => items)
    .filter(({ requires }) => can(requires))
    .map(({ to, title }) => ({ title, path: to })),
  { title: 'Account settings', path: '/account' },
];

const hostSearchText = ({ address, hostname = '', cluster = '', labels = {} }: Static<typeof HostEntry>) =>
  [address, hostname, cluster, ...formatLabels(labels)].join('\n').toLowerCase();

/** The server searches for one text; the longest word finds the fewest hosts. */
export const selectSearchWord = (text: string): string =>
  text
    .trim()
    .split(/\s+/)
    .reduce((longest, word) => (word.length > longest.length ? word : longest), '');

const toHostResult = ({ address, hostname = '', cluster = '' }: Static<typeof HostEntry>): SearchResult => ({
  title: displayName({ address, hostname }),
  detail: [...(hostname === '' ? [] : [address]), ...(cluster === '' ? [] : [cluster])].join(' · '),
  path: `/hosts/${encodeURIComponent(address)}`,
});

const toClusterResult = (name: string): SearchResult => ({
  title: name,
  path: `/clusters/${encodeURIComponent(name)}`,
});

const toOperationResult = (operation: Operation): SearchResult => ({
  title: operationTitle(operation),
  detail: `${operationStateText(operation.state, operation.counts)} · ${operation.id}`,
  path: `/operations/${operation.id}`,
});

/** The last result opens the list of hosts if there are more. */
function findHosts(hosts: SearchSources['hosts'], query: string): readonly SearchResult[] {
  const matches = matchesSearch(query);
  const found = hosts.filter(host => matches({ searchText: hostSearchText(host) }));
  const more = { title: `Show all hosts that match ${query}`, path: `/hosts?${new URLSearchParams({ q: query })}` };
  return [...found.slice(0, MAX_SHOWN_HOSTS).map(toHostResult), ...(found.length > MAX_SHOWN_HOSTS ? [more] : [])];
}

/** Groups without results are omitted. An empty query finds actions and pages. */
export function findResults(sources: SearchSources, text: string): readonly ResultGroup[] {
  const query = text.trim();
  const matches = matchesSearch(query);
  const filter = (results: readonly SearchResult[]) =>
    results
      .filter(({ title, detail = '' }) => matches({ searchText: `${title}\n${detail}`.toLowerCase() }))
      .slice(0, MAX_PER_GROUP);
  const records = query === '' ? { hosts: [], clusters: [], operations: [] } : sources;
  const groups: readonly ResultGroup[] = [
    { title: 'Clusters', results: filter(records.clusters.map(toClusterResult)) },
    { title: 'Hosts', results: findHosts(records.hosts, query) },
    { title: 'Operations', results: filter(records.operations.map(toOperationResult)) },
    { title: 'Actions', results: filter(listActions(sources, query)) },
    { title: 'Pages', results: filter(listPages(sources)) },
  ];
  return groups.filter(({ results }) => results.length > 0);
}
