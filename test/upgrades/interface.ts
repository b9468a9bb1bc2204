// The interface of a version as lines, each of which is a promise of docs/reference/versioning.md. `npm run keep-data` keeps those of a release; the
// test beside this holds later ones to them.

import type { Command } from 'commander';
import type { Deprecation } from '../../src/contract/deprecation.ts';
import type { Route } from '../../src/contract/route.ts';
import type { Metric } from '../../src/server/metrics/metric.ts';
import { commandLines, neededInCommands } from './command-lines.ts';
import { neededLines, optionalLines, requestLines } from './request-lines.ts';

type Lines = readonly string[];

export interface Interface {
  /** By what they are about; a line stays. */
  readonly there: Readonly<Record<string, Lines>>;
  /** What callers have to give; for a call or command that was there before, no line is added. */
  readonly needed: Lines;
  /** What answers may be without; for a field that was there before, no line is added. */
  readonly optional: Lines;
  /** Sets of words that nobody adds to, nor takes from. */
  readonly closed: Readonly<Record<string, Lines>>;
  /** By what is deprecated, as people call it. */
  readonly deprecations: Readonly<Record<string, Pick<Deprecation, 'since' | 'sunset'>>>;
}

/** What an interface is made of, in every version. */
export interface InterfaceParts {
  readonly rows: readonly Route[];
  /** The status of each error code. */
  readonly errors: Readonly<Record<string, { readonly status: number }>>;
  readonly eventTypes: Lines;
  readonly settings: Lines;
  readonly programs: readonly Command[];
  readonly exitCodes: Readonly<Record<string, number>>;
  readonly metrics: readonly Pick<Metric, 'name' | 'kind' | 'labels'>[];
  readonly closed: Interface['closed'];
  readonly deprecations: Interface['deprecations'];
}

const inOrder = (lines: Lines): Lines => [...new Set(lines)].sort();

const metricLines = ({ metrics }: InterfaceParts): Lines =>
  metrics.flatMap(({ name, kind, labels }) => [
    `${name} ${kind}`,
    ...Object.keys(labels).map(label => `${name}{${label}}`),
  ]);

export const interfaceOf = (parts: InterfaceParts): Interface => ({
  there: {
    requests: inOrder(requestLines(parts.rows)),
    errors: inOrder(Object.entries(parts.errors).map(([code, { status }]) => `${code} ${status}`)),
    events: inOrder(parts.eventTypes),
    settings: inOrder(parts.settings),
    commands: inOrder(commandLines(parts.programs)),
    exitCodes: inOrder(Object.entries(parts.exitCodes).map(([name, code]) => `${code} ${name}`)),
    metrics: inOrder(metricLines(parts)),
  },
  needed: inOrder([...neededLines(parts.rows), ...neededInCommands(parts.programs)]),
  optional: inOrder(optionalLines(parts.rows)),
  closed: parts.closed,
  deprecations: parts.deprecations,
});
