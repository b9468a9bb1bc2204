import type { Command } from 'commander';
import { Option } from 'commander';
import type { HostStatus } from '../../../domain/vocabulary.ts';
import { HOST_STATUSES } from '../../../domain/vocabulary.ts';
import { readLabelFilter } from '../../policy/policy-words.ts';

/** The filters of commands that list hosts. */
export interface HostFilter {
  readonly cluster?: string;
  readonly status?: HostStatus;
  readonly os?: string;
  readonly label?: readonly string[];
}

export const withHostFilter = (command: Command): Command =>
  command
    .option('--cluster <cluster>', 'Filter by cluster')
    .addOption(new Option('--status <status>', 'Filter by status').choices(HOST_STATUSES))
    .option('--os <os>', 'Filter by operating system')
    .option(
      '-l, --label <key=value>',
      'Filter by label, key=value or key (repeatable; all must match)',
      readLabelFilter,
    );

export const hostQuery = ({ cluster, status, os, label }: HostFilter) => ({
  ...(cluster !== undefined && { cluster }),
  ...(status !== undefined && { status }),
  ...(os !== undefined && { os }),
  ...(label && { label: [...label] }),
});
