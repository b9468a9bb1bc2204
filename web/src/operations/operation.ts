// What every page says of an operation, in the same words.

import type { Static } from 'typebox';
import type { OperationSummary } from '#contract/routes/operations.ts';
import type { SkipReason } from '#vocabulary';
import { begun } from '../ui/words/sentence.ts';

export type Operation = Static<typeof OperationSummary>;

/** A reference to an image may be long; the page of the operation has the whole of it. */
const LONGEST_VERSION = 40;

const cut = (text: string) =>
  text.length > LONGEST_VERSION ? `${text.slice(0, LONGEST_VERSION - 1)}…` : text;

/** `Upgrade of web`, `Deploy of web to 44.1`. */
export const operationTitle = ({
  kind,
  cluster,
  version,
}: Pick<Operation, 'kind' | 'cluster' | 'version'>): string =>
  `${begun(kind)} of ${cluster}${version === undefined ? '' : ` to ${cut(version)}`}`;

const SKIPPED: Readonly<Record<SkipReason, string>> = {
  left_cluster: 'the host left the cluster',
  cancelled: 'the operation was cancelled',
  by_hand: 'a user skipped the host',
  unhealthy: 'the host was unavailable and was excluded',
};

/** Why a host was skipped, as a sentence. */
export const skippedWords = (reason: SkipReason): string => `Skipped: ${SKIPPED[reason]}.`;

/** The first of each cluster in a list that has the newest first. */
export const newestByCluster = (operations: readonly Operation[]): ReadonlyMap<string, Operation> =>
  new Map(operations.toReversed().map(operation => [operation.cluster, operation]));
